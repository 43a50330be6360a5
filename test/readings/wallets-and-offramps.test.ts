import { testReadings } from './area.js'
import { chainCases, depositCases, offrampCases, walletCases } from './cases/wallets.js'

testReadings({ ...walletCases, ...offrampCases, ...depositCases, ...chainCases })
