import { expect } from 'vitest'
import type { LoggedExchange } from '../../src/index.js'
import type { Client } from './client.js'
import type { List } from './wire.js'

export type { LoggedExchange }

/** The request log, newest first. */
export const logged = async (api: Client, query = ''): Promise<readonly LoggedExchange[]> =>
  (await api.read<List<LoggedExchange>>(`/_sandbox/requests${query}`)).items

/** The newest exchange of the log. */
export const newest = async (api: Client): Promise<LoggedExchange> => {
  const [first] = await logged(api, '?size=1')
  if (!first) throw new Error('the log is empty')
  return first
}

/** A key in the log: its last four characters, and a hash of its own. */
export const maskedKey = (lastFour: string) =>
  expect.stringMatching(new RegExp(`^…${lastFour}~[0-9a-f]{6}$`))
