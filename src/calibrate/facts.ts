import * as z from 'zod'
import { strict } from '../lib/yaml/strict.js'

/** The operator of a service knows these facts; its traffic does not show them. */

const UUID = 'a UUID in lower case'
const uuid = z.guid(UUID).regex(/^[^A-Z]+$/, UUID)
const word = z.string('text').min(1, 'text')
const AT = 'a time such as 2026-06-15T09:00:00Z'

export const factsSchema = strict({
  users: strict({
    main: uuid.optional(),
    other: uuid.optional(),
    poor: uuid.optional(),
    paused: uuid.optional(),
  }).optional(),
  accounts: z
    .record(uuid, strict({ user: uuid, crypto: word.optional(), chain: word.optional() }))
    .optional(),
  deposits: z
    .array(
      strict({
        address: word,
        crypto: word,
        chain: word,
        amount: z.number('a number').positive('a number above zero'),
        at: z.iso.datetime({ offset: true, error: AT }),
      }),
    )
    .optional(),
})

export type Facts = z.output<typeof factsSchema>

export const FACTS_FORM =
  'facts in YAML: users { main, other, poor, paused }, accounts { <id>: { user, crypto, chain } }, deposits'
