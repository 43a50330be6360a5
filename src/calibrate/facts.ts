import * as z from 'zod'
import { strict } from '../lib/yaml/strict.js'

/** The operator of a service knows these facts; its traffic does not show them. */

const UUID = 'a UUID in lower case'
const uuid = z.guid(UUID).regex(/^[^A-Z]+$/, UUID)
const word = z.string('text').min(1, 'text')
const AT = 'a time such as 2026-06-15T09:00:00Z'
const time = z.iso.datetime({ offset: true, error: AT })

const AMOUNT = 'an amount such as "100.00"'
const amount = z.string(AMOUNT).regex(/^[1-9]\d*\.\d\d$/, AMOUNT)

const recipient = strict({
  bank_name: word,
  account_holder_name: word,
  recipient_account_number: word,
})

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
        /** Its transfer, if no list shows it. */
        transfer: uuid.optional(),
        at: time,
      }),
    )
    .optional(),
  rate_moves: z.array(strict({ currency: word, at: time })).optional(),
  keys: strict({
    full: word,
    read_only: word.optional(),
    live: z.array(word).optional(),
  }).optional(),
  payouts: strict({
    currency: word,
    amount,
    above_balance: amount.optional(),
    max_total: z.number('a number').positive('a number above zero'),
    recipients: z.array(recipient),
    fails: recipient.optional(),
    returns: recipient.optional(),
  }).optional(),
})

export type Facts = z.output<typeof factsSchema>

export const FACTS_FORM =
  'facts in YAML: users { main, other, poor, paused }, accounts { <id>: { user, crypto, chain } }, deposits, rate_moves, keys, payouts'
