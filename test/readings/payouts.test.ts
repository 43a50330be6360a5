import { testReadings } from './area.js'
import { payoutCases } from './cases/payouts.js'

testReadings(payoutCases)
