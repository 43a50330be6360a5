import { testReadings } from './area.js'
import { wireCases } from './cases/wire.js'

testReadings(wireCases)
