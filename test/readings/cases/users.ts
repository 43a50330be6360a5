import type { Client } from '../../support/client.js'
import { accounts, consents, ownId, users } from '../../support/fixture-ids.js'
import { overlapping } from '../../support/overlap.js'
import { payoutRequest, userRequest, walletRequest } from '../../support/requests.js'
import { type CasesOf, outcomeOf, posted } from '../reading-case.js'

const USERS = '/onboarding/api/v1/users'
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

export const userCases: CasesOf<'repeat' | 'user' | 'users'> = {
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
      accepted: ['201', '200', '200'],
    },
  },
  'user.duplicate': {
    see: async (api) => {
      const { identity } = userRequest()
      const other = { identity: { ...identity, identity_number: 'another' } }
      const known = { email_address: 'ADA.Okafor@example.com' }
      return [
        await create(api, { ...other, ...known, consent_id: consents.unused }),
        await create(api, { email_address: 'one@example.com', consent_id: consents.alsoUnused }),
      ]
    },
    as: { refused: ['400 4000', '201'], second: ['201', '201'] },
  },
  'user.paused': {
    see: async (api) => (await listed(api, users.paused))?.status,
    as: { shown: 'paused', as_active: 'active' },
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
}
