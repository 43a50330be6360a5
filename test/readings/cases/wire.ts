import { consents, NOBODY, transferId, users } from '../../support/fixture-ids.js'
import {
  consentRequest,
  offrampRequest,
  payoutRequest,
  userRequest,
  walletRequest,
} from '../../support/requests.js'
import { type CasesOf, outcome, outcomeOf, posted } from '../reading-case.js'

const USERS = '/onboarding/api/v1/users/all'
const MADE = '/onboarding/api/v1/users'
const PAYOUT = '/payment/api/v1/payout'
const WALLET = '/payment/api/v1/custody-wallet'
const TNC = '/onboarding/api/v1/tnc'
const AUDIT = `/payment/api/v1/fx-audit/${users.ada}`
const BALANCE = '/payment/api/v1/offramp-audit/crypto-balance'

const STATUS = `/payment/api/v1/fx-audit/status/${transferId(1)}`

const JSON_TYPE = { 'content-type': 'application/json' }

/** Every time in a text, and the part after its seconds. */
const TIMES = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[^"]*/g
const formOf = (time: string): string => time.slice(19).replaceAll(/\d/g, '#')

export const wireCases: CasesOf<
  'wire' | 'error' | 'resource' | 'created' | 'list' | 'size' | 'time'
> = {
  'wire.strictness': {
    see: async (api) => [
      await outcome(api, 'GET', `${AUDIT}?size=5&colour=red`),
      await outcome(api, 'GET', `${USERS}?colour=red`),
      await posted(api, WALLET, { ...walletRequest(), colour: 'red' }),
      await posted(api, '/onboarding/api/v1/users', {
        ...userRequest(),
        documents: [{ ...userRequest().documents[0], colour: 'red' }],
      }),
      await posted(api, PAYOUT, payoutRequest()),
    ],
    as: {
      strict: ['200', '200', '201', '201', '200'],
      closed: [...Array(4).fill('400 4000'), '200'],
    },
  },
  'error.codes': {
    see: async (api) => [
      outcomeOf(await api.get('/payment/api/v1/nothing')),
      outcomeOf(await api.post(PAYOUT, undefined, { raw: '{', headers: JSON_TYPE })),
      outcomeOf(await api.get(USERS, { key: null })),
    ],
    as: {
      sandbox: ['404 4040', '400 4004', '403 4030'],
      status: ['404 404', '400 400', '403 4030'],
    },
  },
  'resource.unknown': {
    see: async (api) => {
      const seen: unknown[] = []
      for (const path of [
        `${BALANCE}/USDC/polygon/${NOBODY}`,
        `/payment/api/v1/fx-audit/${NOBODY}`,
        `/payment/api/v1/offramp-audit/${NOBODY}`,
      ]) {
        const answer = await api.get<{ transactions?: unknown[] }>(path)
        seen.push(
          answer.status === 200 ? (answer.body.transactions ?? answer.body) : outcomeOf(answer),
        )
      }
      return seen
    },
    as: { not_found: Array(3).fill('404 4040'), empty: [0, [], []] },
  },
  'created.status': {
    see: async (api) => [
      await posted(api, '/onboarding/api/v1/users', userRequest()),
      await posted(api, TNC, consentRequest()),
      await posted(api, WALLET, walletRequest()),
      await posted(api, WALLET, walletRequest()),
      await posted(api, '/payment/api/v1/offramp', offrampRequest()),
    ],
    as: {
      mixed: ['201', '200', '201', '200', '200'],
      created: ['201', '201', '201', '200', '201'],
      ok: Array(5).fill('200'),
    },
  },
  'list.order': {
    see: async (api) => {
      const path = `${AUDIT}?size=2`
      const { transactions } = await api.read<{ transactions: { created_at: string }[] }>(path)
      const [one, two] = transactions
      return [
        (await api.read<{ id: string }[]>(USERS))[0]?.id,
        (one?.created_at ?? '') > (two?.created_at ?? '') ? 'newest' : 'oldest',
      ]
    },
    as: { newest_first: [users.underReview, 'newest'], oldest_first: [users.ada, 'oldest'] },
  },
  'size.limits': {
    see: async (api) => {
      const { identity } = userRequest()
      const most = 5 * 1024 * 1024
      const showing = (bytes: number) => ({
        ...userRequest(),
        identity: {
          ...identity,
          identity_number: `of ${bytes} bytes`,
          identity_document_back: `data:image/png;base64,${Buffer.alloc(bytes).toString('base64')}`,
        },
      })
      const other = { consent_id: consents.alsoUnused, email_address: 'second@example.com' }
      const raw = JSON.stringify(consentRequest()) + ' '.repeat(10 * 1024 * 1024)
      return [
        await outcome(api, 'POST', TNC, { raw, headers: JSON_TYPE }),
        await posted(api, MADE, showing(most + 1)),
        await posted(api, MADE, { ...showing(most), ...other }),
      ]
    },
    as: { usual: ['200', '201', '201'], small: ['400 4000', '400 4000', '201'] },
  },
  'time.form': {
    see: async (api) => {
      const texts = [
        await api.post(PAYOUT, payoutRequest()),
        await api.get(`${USERS}?size=100`),
        await api.get(AUDIT),
        await api.get(`/payment/api/v1/offramp-audit/${users.ada}`),
        await api.get(STATUS),
      ].map(({ body }) => JSON.stringify(body))
      return texts.map((text) => [...new Set((text.match(TIMES) ?? []).map(formOf))])
    },
    as: {
      milliseconds: Array(5).fill(['.###Z']),
      seconds: Array(5).fill(['Z']),
      offset: Array(5).fill(['.###+##:##']),
    },
  },
}
