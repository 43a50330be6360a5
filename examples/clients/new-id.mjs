// Bug: each attempt has a new id.
import { randomUUID } from 'node:crypto'
import { Client } from './payday.mjs'

await new (class extends Client {
  idOf() {
    return randomUUID()
  }
})().payday()
