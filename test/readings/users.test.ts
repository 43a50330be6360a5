import { testReadings } from './area.js'
import { userCases } from './cases/users.js'

testReadings(userCases)
