import * as z from 'zod'
import { USER_STATUSES } from '../../domain/schema.js'
import { ok, operation } from '../../http/operation/operation.js'

const named = (noun: string, shape: z.ZodRawShape) =>
  z.record(z.string(), z.object({ id: z.uuid(), ...shape }).meta({ id: `Fixture${noun}` }))

const fixtures = z
  .object({
    users: named('User', {
      first_name: z.string(),
      last_name: z.string(),
      email_address: z.string(),
      status: z.enum(USER_STATUSES),
    }).meta({ description: 'By first name, such as `ada`' }),
    accounts: named('Account', {
      user_id: z.uuid(),
      currency: z.string(),
      account_number: z.string(),
      nickname: z.string(),
    }).meta({ description: 'By user and currency or nickname, such as `adaEur`' }),
    wallets: named('Wallet', {
      user_id: z.uuid(),
      blockchain: z.string(),
      wallet_address: z.string(),
      customer_wallet_ref: z.uuid(),
    }).meta({ description: 'By user and chain, such as `adaPolygon`' }),
    consents: named('Consent', { accepted_at: z.iso.datetime() }).meta({
      description: 'Consents without a user: `unused`',
    }),
  })
  .meta({ id: 'Fixtures' })

export const readFixtures = operation({
  id: 'readFixtures',
  method: 'get',
  path: '/_sandbox/fixtures',
  tag: 'Sandbox',
  summary: 'Read the fixtures by name',
  description:
    'The users, accounts, wallets and unused consents that every world begins with, by short names. Records of a world ' +
    'may have changed since.',
  answers: { 200: { description: 'The fixtures', schema: fixtures } },
  needsNoWorld: true,
  // The schema has fewer fields than a record.
  handle: ({ sandbox }) => ok(fixtures.parse(sandbox.fixtures)),
})
