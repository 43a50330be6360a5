import { testReadings } from './area.js'
import { offrampCases, walletCases } from './cases/wallets.js'

testReadings({ ...walletCases, ...offrampCases })
