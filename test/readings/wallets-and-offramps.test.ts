import { testReadings } from './area.js'
import { chainCases, offrampCases, walletCases } from './cases/wallets.js'

testReadings({ ...walletCases, ...offrampCases, ...chainCases })
