import fc from 'fast-check'
import { USER_STATUSES } from '../../../src/domain/schema.js'
import { USER_TRANSITIONS } from '../../../src/domain/users.js'
import {
  chains,
  currencies,
  idAt,
  mostly,
  moveFrom,
  moves,
  names,
  rarely,
  tokens,
  verb,
  which,
} from './choices.js'

const STEADY = {
  first_name: 'Zoë',
  phone_number: '+4512345678',
  user_type: 'individual',
  identity_country_code: 'DNK',
  address: {
    line1: 'Nørregade 1',
    line2: null,
    city: 'København',
    country: 'DNK',
    region: null,
    sub_division: 'DK-84',
    postal_code: '1165',
  },
  metadata: null,
} as const

const passport = (number: number) => ({
  name: 'passport.jpg',
  type: 'passport',
  issuing_country: 'DNK',
  document_number: `P-${number}`,
  image: { media_type: 'image/jpeg', bytes: 3, sha256: 'ab'.repeat(32) },
})

/** Commands about users and what they own. */
export const peopleVerbs = {
  'consent.create': verb('consent.create', 3, fc.record({ declined: rarely }), (_, it) => ({
    tnc_accepted: !it.declined,
    accepted_at: '2026-06-15T08:59:00.000Z',
  })),
  'user.create': verb(
    'user.create',
    4,
    fc.record({
      consent: mostly(fc.nat(2), which),
      email: fc.nat(30),
      alone: rarely,
      born: mostly(fc.constant('1990-02-28'), fc.constant('2999-01-01')),
    }),
    (tables, { consent, email, alone, born }) => ({
      ...STEADY,
      last_name: `Øster ${email}`,
      email_address: `Zoe${email}@example.com`,
      date_of_birth: born,
      consent_id: idAt(tables, 'consents', consent),
      sharing_consent: !alone,
      documents: [passport(email)],
    }),
  ),
  'user.move': verb(
    'user.move',
    4,
    fc.record({ user: which, to: moves(USER_STATUSES), reported: fc.boolean() }),
    (tables, { user, to, reported }) => {
      const id = idAt(tables, 'users', user)
      const moved = { id, to: moveFrom(USER_TRANSITIONS, tables.users.get(id)?.status, to) }
      return reported
        ? { ...moved, reasons: [{ reason: 'blurred' }], requirements: ['address'] }
        : moved
    },
  ),
  'account.register': verb(
    'account.register',
    3,
    fc.record({
      user: which,
      currency: currencies,
      number: fc.nat(99),
      crypto: fc.option(tokens, { nil: undefined }),
      chain: fc.option(chains, { nil: undefined }),
    }),
    (tables, { user, number, ...rest }) => ({
      user_id: idAt(tables, 'users', user),
      account_number: `DE0000000000${number}`,
      ...rest,
    }),
  ),
  'wallet.create': verb(
    'wallet.create',
    3,
    fc.record({ user: which, chain: chains, ref: names }),
    (tables, { user, chain, ref }) => ({
      user_id: idAt(tables, 'users', user),
      chain,
      customer_wallet_ref: ref,
    }),
  ),
}
