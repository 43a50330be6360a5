/** The ids and keys that fixtures/README.md promises for every new world. */

export const keys = {
  full: 'SandrampFullAccessKey00000000001',
  readOnly: 'SandrampReadOnlyKey0000000000001',
  expired: 'SandrampExpiredKey00000000000001',
  suspended: 'SandrampSuspendedKey000000000001',
  deactivated: 'SandrampDeactivatedKey0000000001',
  unknown: 'SandrampUnknownKey00000000000001',
} as const

const numbered = (prefix: string, n: number) => `${prefix}${String(n).padStart(12, '0')}`

export const userId = (n: number) => numbered('11111111-1111-4111-8111-', n)
export const accountId = (n: number) => numbered('22222222-2222-4222-8222-', n)
export const walletId = (n: number) => numbered('33333333-3333-4333-8333-', n)
export const offrampId = (n: number) => numbered('55555555-5555-4555-8555-', n)
export const transferId = (n: number) => numbered('66666666-6666-4666-8666-', n)
export const payoutId = (n: number) => numbered('77777777-7777-4777-8777-', n)
export const depositId = (n: number) => numbered('88888888-8888-4888-8888-', n)
export const consentId = (n: number) => numbered('99999999-9999-4999-8999-', n)

/** Ids of the tests' own making, for what a client chooses. */
export const ownId = (n: number) => numbered('abcdef00-0000-4000-8000-', n)

/** A well-formed id that nothing has. */
export const NOBODY = '0f0f0f0f-0f0f-4f0f-8f0f-0f0f0f0f0f0f'

export const users = {
  ada: userId(1),
  ben: userId(2),
  underReview: userId(3),
  rejected: userId(4),
  incomplete: userId(5),
  offboarded: userId(6),
  paused: userId(7),
  hanna: userId(8),
} as const

export const accounts = {
  adaEur: accountId(1),
  adaUsd: accountId(2),
  adaNgn: accountId(3),
  adaKes: accountId(4),
  benMpesa: accountId(5),
  benEur: accountId(6),
  pausedGbp: accountId(7),
} as const

/** Deposit addresses of offramps that were initiated before the world began. */
export const addresses = {
  adaEur: '0xC437a1958aA96aD06ca556767B4196d7D61A4eb7',
  adaUsd: '0x1DfD91F7E10034310136b8208F908FFb49A3a8e2',
  adaNgn: 'GsamXzEsmLmnrZeb3ikM5EXYLw7Mr7fhQbuSRPSHU3gU',
  benMpesa: 'TDcrAXtbFFq7GxF1WKxaX8YvS1d2ExcbKN',
} as const

export const consents = { unused: consentId(9), alsoUnused: consentId(10), adas: consentId(1) }

/** When a world with a manual clock begins. */
export const BEGINNING = '2026-06-15T09:00:00.000Z'
