import { testReadings } from './area.js'
import { auditCases, balanceCases, transferCases } from './cases/transfers.js'

testReadings({ ...auditCases, ...transferCases, ...balanceCases })
