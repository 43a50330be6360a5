import type { Client } from '../../support/client.js'
import { accounts, consents, NOBODY, ownId, users } from '../../support/fixture-ids.js'
import { overlapping } from '../../support/overlap.js'
import {
  consentRequest,
  PDF,
  payoutRequest,
  userRequest,
  walletRequest,
} from '../../support/requests.js'
import { type CasesOf, outcomeOf, posted } from '../reading-case.js'

const USERS = '/onboarding/api/v1/users'
const TNC = '/onboarding/api/v1/tnc'
const WALLET = '/payment/api/v1/custody-wallet'
const OFFRAMP = '/payment/api/v1/offramp'

interface Given {
  readonly email_address?: unknown
  readonly identity?: object
}

/** Creates a user. One with another email address is another person, with another document. */
const create = (api: Client, { identity, ...more }: Given & Record<string, unknown> = {}) => {
  const { email_address } = more
  const number = email_address === undefined ? {} : { identity_number: String(email_address) }
  const own = { ...userRequest().identity, ...number, ...identity }
  return posted(api, USERS, { ...userRequest(), ...more, identity: own })
}

interface Listed {
  readonly id: string
  readonly status: string
  readonly documents: readonly { readonly type: string }[]
  readonly rejection_reasons: readonly object[] | null
  readonly requirements: readonly unknown[] | null
}

const listed = async (api: Client, id: string): Promise<Listed | undefined> =>
  (await api.read<Listed[]>(`${USERS}/all`)).find((user) => user.id === id)

const overlap = overlapping()

const CONSENTS = [consents.unused, consents.alsoUnused]

const document = userRequest().documents[0]

/** Fields that identify a person. */
const bare = (n: number) => ({
  phone_number: `+23480300010${n}`,
  identity: { ...userRequest().identity, identity_number: `own-${n}` },
})

export const userCases: CasesOf<'repeat' | 'user' | 'users' | 'consent'> = {
  'repeat.scope': {
    see: async (api) => {
      const answers: string[] = []
      for (const user_id of [users.ada, users.ben]) {
        const wallet = { ...walletRequest(), user_id }
        answers.push(await posted(api, '/payment/api/v1/payout', { ...payoutRequest(), user_id }))
        answers.push(await posted(api, '/payment/api/v1/custody-wallet', wallet))
      }
      return answers
    },
    as: {
      account: ['200', '201', '400 4000', '400 4000'],
      user: ['200', '201', '200', '201'],
    },
  },
  'repeat.in_flight': {
    options: overlap.options,
    see: async (api) => {
      await overlap.play(api)
      const seen: unknown[] = []
      for (const [path, body] of [
        ['/payment/api/v1/payout', payoutRequest()],
        ['/payment/api/v1/custody-wallet', walletRequest()],
      ] as const) {
        const [first, again] = await overlap.send(() => api.post<{ id?: string }>(path, body))
        const third = await api.post<{ id?: string }>(path, body)
        const ids = [first.body.id, again.body.id, third.body.id]
        seen.push([outcomeOf(first), outcomeOf(again), ids.map((id) => ids.indexOf(id))])
      }
      return seen
    },
    as: {
      waits: [
        ['200', '200', [0, 0, 0]],
        ['201', '200', [0, 0, 0]],
      ],
      conflict: [
        ['200', '409 4090', [0, 1, 0]],
        ['201', '409 4090', [0, 1, 0]],
      ],
      second: [
        ['200', '200', [0, 1, 1]],
        ['201', '201', [0, 1, 1]],
      ],
    },
  },
  'user.gate': {
    see: async (api) => {
      const user_id = users.paused
      const wallet = { user_id, chain: 'polygon', customer_wallet_ref: ownId(2) }
      const payout = { ...payoutRequest(), user_id, currency: 'GBP', amount: '1.00' }
      return [
        await posted(api, WALLET, wallet),
        await posted(api, '/payment/api/v1/payout', payout),
        await posted(api, OFFRAMP, { user_id, account_id: accounts.pausedGbp }),
      ]
    },
    as: {
      refused: ['400 4000', '400 4000', '400 4000'],
      forbidden: ['403 4033', '403 4033', '403 4033'],
      wallets: ['201', '400 4000', '400 4000'],
      payouts_only: ['201', '400 4000', '200'],
      accepted: ['201', '200', '200'],
    },
  },
  'user.required': {
    see: async (api) => {
      const { first_name, last_name, email_address, ...rest } = userRequest()
      const names = { first_name, last_name, email_address }
      const bare = await posted(api, USERS, names)
      const nameless = await posted(api, USERS, rest)
      const all = await api.get<{ phone_number: unknown }[]>(`${USERS}/all`)
      const { identity_document_back: _, ...front } = userRequest().identity
      const answers = ['Passport', 'National ID'].map(async (identity_document_name, n) => {
        const identity = {
          ...front,
          identity_document_back: undefined,
          identity_document_name,
          identity_number: `front-${n}`,
        }
        const own = { email_address: `front-${n}@example.com`, consent_id: CONSENTS[n] }
        return create(api, { ...own, identity })
      })
      const [passport, card] = await Promise.all(answers)
      return { bare, nameless, phone: all.body[0]?.phone_number === null, passport, card }
    },
    as: {
      nearly_all: {
        ...{ bare: '400 4000', nameless: '400 4000', phone: false },
        ...{ passport: '400 4000', card: '400 4000' },
      },
      passport_front: {
        ...{ bare: '400 4000', nameless: '400 4000', phone: false },
        ...{ passport: '201', card: '400 4000' },
      },
      minimal: {
        ...{ bare: '201', nameless: '400 4000', phone: true },
        ...{ passport: '201', card: '201' },
      },
    },
  },
  'user.absent': {
    see: async (api) => {
      const { address } = userRequest()
      const options = [
        { address: { ...address, line2: null } },
        { documents: null, metadata: null },
        { documents: [{ ...document, document_back: null }] },
        { address: { ...address, line2: '', region: '' } },
        { documents: [{ ...document, document_back: '' }] },
        { address: { ...address, line1: '' } },
        { metadata: '' },
        {},
      ]
      const answers: string[] = []
      for (const [place, option] of options.entries()) {
        const { body } = await api.post<string>(TNC, consentRequest())
        const email_address = `${place}@example.com`
        answers.push(await create(api, { ...option, consent_id: body, email_address }))
      }
      const all = await api.read<{ address: { line2: string | null } }[]>(`${USERS}/all`)
      return [...answers, all.some((user) => user.address.line2 === '')]
    },
    as: {
      null: ['201', '201', '201', ...Array(4).fill('400 4000'), '201', false],
      left_out: [...Array(7).fill('400 4000'), '201', false],
      empty: [...Array(5).fill('201'), '400 4000', '201', '201', false],
    },
  },
  'user.formats': {
    see: async (api) => {
      const { identity } = userRequest()
      const png = identity.identity_document_front.slice('data:image/png;base64,'.length)
      const showing = (uri: string) => ({
        identity: { identity_document_back: uri },
        documents: [{ ...document, document_front: uri }],
      })
      const answers: string[] = []
      for (const [place, more] of [
        { phone_number: '0803 123' },
        { phone_number: ' ' },
        { date_of_birth: '1899-12-31', email_address: 'ünder@example.com' },
        showing(PDF),
        showing(`DATA:image/PNG;name=a.png;Base64,${png}`),
        { metadata: 'gold' },
      ].entries()) {
        const { body } = await api.post<string>(TNC, consentRequest())
        const email_address = `${place}@example.com`
        answers.push(await create(api, { email_address, consent_id: body, ...more }))
      }
      return answers
    },
    as: {
      strict: Array(6).fill('400 4000'),
      lenient: ['201', '400 4000', ...Array(4).fill('201')],
    },
  },
  'user.age': {
    see: async (api) => [
      await create(api, { date_of_birth: '2008-06-16' }),
      await create(api, {
        date_of_birth: '2008-06-15',
        consent_id: consents.alsoUnused,
        email_address: 'grown@example.com',
      }),
    ],
    as: { any: ['201', '201'], eighteen: ['400 4000', '201'] },
  },
  'user.email': {
    see: async (api) => {
      const emailOf = (id: string) => String(api.sandbox.tables.users.get(id)?.email_address)
      const answers: string[] = []
      for (const email_address of [
        emailOf(users.ada),
        emailOf(users.rejected),
        emailOf(users.offboarded).toUpperCase(),
        emailOf(users.ben).toUpperCase(),
      ]) {
        const { body } = await api.post<string>(TNC, consentRequest())
        answers.push(
          await create(api, { ...bare(answers.length), consent_id: body, email_address }),
        )
      }
      return answers
    },
    as: {
      taken: Array(4).fill('400 4000'),
      exact: ['400 4000', '400 4000', '201', '201'],
      freed: ['400 4000', '201', '201', '400 4000'],
      second: Array(4).fill('201'),
    },
  },
  'user.duplicate_person': {
    see: async (api) => {
      const { identity } = userRequest()
      const another = { ...identity, identity_number: 'B07654321' }
      const abroad = { ...identity, identity_country_code: 'GHA' }
      const people = [
        {},
        { phone_number: '+2348012345679' },
        { identity: another },
        { identity: abroad, phone_number: '+2348012345670' },
      ]
      const answers: string[] = []
      for (const [place, person] of people.entries()) {
        const { body } = await api.post<string>(TNC, consentRequest())
        const email_address = `${place}@example.com`
        const user = { ...userRequest(), ...person, consent_id: body, email_address }
        answers.push(await posted(api, USERS, user))
      }
      return answers
    },
    as: {
      second: ['201', '201', '201', '201'],
      same_document: ['201', '400 4000', '201', '201'],
      same_document_or_phone: ['201', '400 4000', '400 4000', '201'],
    },
  },
  'user.paused': {
    see: async (api) => (await listed(api, users.paused))?.status,
    as: { shown: 'paused', as_active: 'active' },
  },
  'user.transitions': {
    see: async (api) => {
      const path = `/_sandbox/users/${users.offboarded}/status`
      const moved = outcomeOf(await api.post(path, { status: 'active' }))
      return [moved, (await listed(api, users.offboarded))?.status]
    },
    as: { sandbox: ['409 4090', 'offboarded'], free: ['200', 'active'] },
    unreported: ['sandbox', 'free'],
  },
  'user.rejection_reasons': {
    see: async (api) =>
      Object.keys((await listed(api, users.rejected))?.rejection_reasons?.[0] ?? {}),
    as: {
      reason: ['reason', 'timestamp', 'developer_reason'],
      customer_reason: ['customer_reason', 'created_at', 'internal_reason'],
    },
  },
  'user.requirements': {
    see: async (api) => typeof (await listed(api, users.incomplete))?.requirements?.[0],
    as: { names: 'string', objects: 'object' },
  },
  'users.list': {
    see: async (api) => {
      const { body } = await api.get(`${USERS}/all`)
      if (Array.isArray(body)) return 'an array'
      const { users, pagination } = body as { users: unknown[]; pagination: object }
      return [users.length, pagination]
    },
    as: {
      array: 'an array',
      paged: [5, { page: 0, size: 5, total_pages: 2, total_elements: 8 }],
    },
  },
  'consent.reuse': {
    see: async (api) => [
      await create(api, { ...bare(1), consent_id: consents.adas }),
      await create(api, { ...bare(2), email_address: 'first@example.com' }),
      await create(api, { ...bare(3), email_address: 'second@example.com' }),
    ],
    as: {
      refused: ['400 4000', '201', '400 4000'],
      accepted: ['201', '201', '201'],
    },
  },
  'consent.validity': {
    see: async (api) => {
      const { tnc_data } = consentRequest()
      const declined = { tnc_data: { ...tnc_data, tnc_accepted: false } }
      const answer = await api.post<string>(TNC, declined)
      const answers = [outcomeOf(answer)]
      for (const [place, more] of [
        { consent_id: String(answer.body) },
        { consent_id: NOBODY },
        { sharing_consent: false, consent_id: consents.alsoUnused },
      ].entries()) {
        const person = { ...bare(place), email_address: `${place}@example.com` }
        answers.push(await create(api, { ...person, ...more }))
      }
      return answers
    },
    as: { refused: Array(4).fill('400 4000'), recorded: ['200', ...Array(3).fill('201')] },
  },
  'consent.time': {
    see: async (api) => {
      const answers: string[] = []
      for (const accepted_at of [
        '2026-06-15T08:59:00.000Z',
        '2199-01-01T00:00:00.000Z',
        '2199-01-01T00:00:00Z',
        '2026-06-15T09:30:00+01:00',
        'yesterday',
      ]) {
        answers.push(await posted(api, TNC, { tnc_data: { tnc_accepted: true, accepted_at } }))
      }
      return answers
    },
    as: {
      exact: ['200', '200', ...Array(3).fill('400 4000')],
      any_iso: [...Array(4).fill('200'), '400 4000'],
      past: ['200', ...Array(4).fill('400 4000')],
    },
  },
}
