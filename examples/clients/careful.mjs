import { Client } from './payday.mjs'

await new Client().payday()
