import type { Client } from '../../support/client.js'
import {
  accounts,
  addresses,
  consents,
  keys,
  NOBODY,
  ownId,
  transferId,
  users,
} from '../../support/fixture-ids.js'
import { nodeFetch } from '../../support/node-fetch.js'
import {
  consentRequest,
  offrampRequest,
  payoutRequest,
  userRequest,
  walletRequest,
} from '../../support/requests.js'
import { type CasesOf, type Chosen, outcome, outcomeOf, posted } from '../reading-case.js'

const USERS = '/onboarding/api/v1/users/all'
const MADE = '/onboarding/api/v1/users'
const PAYOUT = '/payment/api/v1/payout'
const WALLET = '/payment/api/v1/custody-wallet'
const OFFRAMP = '/payment/api/v1/offramp'
const TNC = '/onboarding/api/v1/tnc'
const AUDIT = `/payment/api/v1/fx-audit/${users.ada}`
const BALANCE = '/payment/api/v1/offramp-audit/crypto-balance'

const STATUS = `/payment/api/v1/fx-audit/status/${transferId(1)}`

const JSON_TYPE = { 'content-type': 'application/json' }

/** A UUID of version 1. */
const OLD = 'b0b00000-0000-1000-8000-000000000001'
const OTHER_VARIANT = 'b0b00000-0000-4000-c000-000000000001'

/** Every time in a text, and the part after its seconds. */
const TIMES = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[^"]*/g
const formOf = (time: string): string => time.slice(19).replaceAll(/\d/g, '#')

/** Plain HTTP at a port that speaks HTTPS. */
const plain = async (api: Client, headers: Chosen) => {
  const { url, close } = await api.sandbox.listen({ tls: true })
  const at = new URL(`${url.replace('https', 'http')}${USERS}?a=1`)
  const init = { headers: { ...headers, 'x-api-key': keys.full } }
  try {
    const response = await nodeFetch(at, init)
    const location = response.headers.get('location')
    const { code = null } = JSON.parse((await response.text()) || '{}') as { code?: string }
    const reported = response.headers.get('x-sandbox-assumed')
    return {
      status: response.status,
      code,
      reported,
      there: location === at.href.replace('http', 'https'),
    }
  } catch {
    return 'closed'
  } finally {
    await close()
  }
}

/** Payouts and offramps of a user who is not active, each with another fault as well. */
const ofPaused = async (api: Client): Promise<string[]> => {
  const answers: string[] = []
  for (const [currency, amount] of [
    ['EUR', '10.00'],
    ['GBP', '99999999.00'],
    ['GBP', '1.00'],
  ]) {
    const body = { ...payoutRequest(), user_id: users.paused, currency, amount }
    const answer = await api.post<{ message: string }>(PAYOUT, body)
    answers.push(`${answer.status} ${/balance|active/.exec(answer.body.message)?.[0]}`)
  }
  for (const account_id of [NOBODY, accounts.benEur, accounts.pausedGbp]) {
    answers.push(
      await posted(api, '/payment/api/v1/offramp', { user_id: users.paused, account_id }),
    )
  }
  return answers
}

export const wireCases: CasesOf<
  | 'wire'
  | 'error'
  | 'required'
  | 'resource'
  | 'created'
  | 'list'
  | 'size'
  | 'http'
  | 'path'
  | 'body'
  | 'query'
  | 'time'
  | 'uuid'
  | 'key'
> = {
  'wire.strictness': {
    see: async (api) => {
      const { status, body } = await api.get<{ transactions?: unknown[] }>(`${AUDIT}?size=1&size=2`)
      return [
        [status, body.transactions?.length],
        await outcome(api, 'GET', `${USERS}/`),
        await outcome(api, 'GET', `${AUDIT}/?size=1`),
        await posted(api, `${TNC}/`, consentRequest()),
        await outcome(api, 'GET', `${PAYOUT}/`),
        await outcome(api, 'GET', `${USERS}//`),
        await outcome(api, 'GET', `${AUDIT}?size=5&colour=red`),
        await outcome(api, 'GET', `${USERS}?colour=red`),
        await posted(api, WALLET, { ...walletRequest(), colour: 'red' }),
        await posted(api, '/onboarding/api/v1/users', {
          ...userRequest(),
          documents: [{ ...userRequest().documents[0], colour: 'red' }],
        }),
        await posted(api, PAYOUT, payoutRequest()),
      ]
    },
    as: {
      strict: [
        [400, undefined],
        ...Array(5).fill('404 4040'),
        ...['200', '200', '201', '201', '200'],
      ],
      lenient: [
        [200, 1],
        ...['200', '200', '200', '404 4040', '404 4040'],
        ...['200', '200', '201', '201', '200'],
      ],
      closed: [[400, undefined], ...Array(5).fill('404 4040'), ...Array(4).fill('400 4000'), '200'],
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
  'error.order': {
    see: async (api) => [
      await posted(api, PAYOUT, { ...payoutRequest(), user_id: NOBODY, amount: '0' }),
      await posted(api, WALLET, { ...walletRequest(), user_id: NOBODY, chain: 7 }),
      await posted(api, '/payment/api/v1/offramp', { user_id: NOBODY }),
      await posted(api, PAYOUT, { ...payoutRequest(), amount: '0' }),
      await posted(api, PAYOUT, { ...payoutRequest(), user_id: 'nobody', amount: '0' }),
      await posted(api, PAYOUT, { ...payoutRequest(), user_id: NOBODY }),
      await outcome(api, 'GET', `/payment/api/v1/fx-audit/${NOBODY}?size=x`),
      await outcome(api, 'GET', `${BALANCE}/DOGE/polygon/${NOBODY}`),
      await outcome(api, 'GET', `${BALANCE}/%20/polygon/${NOBODY}`),
      await posted(api, WALLET, { ...walletRequest(), user_id: NOBODY, chain: 'bitcoin' }),
      await outcome(api, 'GET', `${AUDIT}?size=x`),
      ...(await ofPaused(api)),
    ],
    as: {
      shape_first: [
        ...Array(5).fill('400 4000'),
        '404 4040',
        ...Array(5).fill('400 4000'),
        ...['404 balance', '400 active', '400 active', '404 4040', '404 4040', '400 4000'],
      ],
      user_first: [
        ...Array(3).fill('404 4040'),
        ...Array(2).fill('400 4000'),
        ...Array(5).fill('404 4040'),
        '400 4000',
        ...['400 active', '400 active', '400 active', '400 4000', '400 4000', '400 4000'],
      ],
      status_last: [
        ...Array(5).fill('400 4000'),
        '404 4040',
        ...Array(5).fill('400 4000'),
        ...['404 balance', '400 balance', '400 active', '404 4040', '404 4040', '400 4000'],
      ],
    },
  },
  'required.fields': {
    see: async (api) => {
      const made = await api.post<{ id?: string; customer_wallet_ref?: string }>(WALLET, {
        ...walletRequest(),
        customer_wallet_ref: undefined,
      })
      const offramp = await api.post<{ address?: string }>(OFFRAMP, { user_id: users.ada })
      return [
        await posted(api, TNC, { tnc_data: { tnc_accepted: true } }),
        await posted(api, TNC, { tnc_data: {} }),
        outcomeOf(made),
        made.body.customer_wallet_ref === made.body.id,
        await posted(api, WALLET, { ...walletRequest(), chain: undefined }),
        outcomeOf(offramp),
        offramp.body.address,
        await posted(api, OFFRAMP, { account_id: accounts.adaEur }),
      ]
    },
    as: {
      all: [
        ...['400 4000', '400 4000', '400 4000', true],
        ...['400 4000', '400 4000', undefined, '400 4000'],
      ],
      minimal: [
        ...['200', '400 4000', '201', true],
        ...['400 4000', '200', addresses.adaEur, '400 4000'],
      ],
    },
  },
  'resource.unknown': {
    see: async (api) => {
      const wallet = { user_id: NOBODY, chain: 'polygon', customer_wallet_ref: ownId(2) }
      const answers = [
        await posted(api, PAYOUT, { ...payoutRequest(), user_id: NOBODY }),
        await posted(api, WALLET, wallet),
        await posted(api, OFFRAMP, { user_id: NOBODY, account_id: accounts.adaEur }),
        await outcome(api, 'GET', `/payment/api/v1/fx-audit/status/${NOBODY}`),
      ]
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
      return [answers, seen]
    },
    as: {
      not_found: [Array(4).fill('404 4040'), Array(3).fill('404 4040')],
      invalid: [['404 4040', ...Array(3).fill('400 4000')], Array(3).fill('400 4000')],
      empty: [Array(4).fill('404 4040'), [0, [], []]],
    },
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
      const answers: string[] = []
      const { recipient_details, ...rest } = payoutRequest()
      const lengths = [70, 71, 255, 256].map((length) => 'x'.repeat(length))
      for (const [place, name] of [...lengths, '𠮷'.repeat(70), ' '].entries()) {
        const details = { ...recipient_details, account_holder_name: name }
        const customer_payout_id = ownId(place + 1)
        const body = { ...rest, customer_payout_id, recipient_details: details }
        answers.push(await posted(api, PAYOUT, body))
      }
      const { identity, documents } = userRequest()
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
      const many = { ...userRequest(), documents: Array(21).fill(documents[0]) }
      const raw = JSON.stringify(consentRequest()) + ' '.repeat(10 * 1024 * 1024)
      return [
        ...answers,
        await outcome(api, 'POST', TNC, { raw, headers: JSON_TYPE }),
        await posted(api, MADE, showing(most + 1)),
        await posted(api, MADE, { ...showing(most), ...other }),
        await posted(api, MADE, many),
      ]
    },
    as: {
      usual: [
        ...['200', '200', '200', '400 4000', '200', '400 4000'],
        ...['200', '201', '201', '400 4000'],
      ],
      small: [
        ...['200', '400 4000', '400 4000', '400 4000', '200', '400 4000'],
        ...['400 4000', '400 4000', '201', '400 4000'],
      ],
      none: [...Array(5).fill('200'), '400 4000', ...['200', '201', '201', '400 4000']],
    },
  },
  'uuid.form': {
    see: async (api) => {
      const id = ownId(1).toUpperCase()
      const { status, body } = await api.post<{ customer_payout_id?: string }>(PAYOUT, {
        ...payoutRequest(),
        customer_payout_id: id,
      })
      const { customer_payout_id } = body
      return [
        status,
        customer_payout_id === ownId(1),
        await outcome(api, 'GET', `/payment/api/v1/fx-audit/status/${id}`),
        await posted(api, PAYOUT, { ...payoutRequest(), customer_payout_id: OLD }),
        await outcome(api, 'GET', `/payment/api/v1/fx-audit/status/${OLD}`),
        await outcome(api, 'GET', `/payment/api/v1/fx-audit/status/${OTHER_VARIANT}`),
        await posted(api, WALLET, walletRequest()),
      ]
    },
    as: {
      any: [200, true, '404 4040', '200', '404 4040', '404 4040', '201'],
      version_4: [200, true, '404 4040', ...Array(3).fill('400 4000'), '201'],
      lower_case: [400, false, '400 4000', '200', '404 4040', '404 4040', '201'],
    },
  },
  'http.plain': {
    see: plain,
    as: {
      forbidden: {
        status: 403,
        code: '4032',
        reported: 'error.codes=sandbox, http.plain=forbidden',
        there: false,
      },
      redirect: { status: 301, code: null, reported: 'http.plain=redirect', there: true },
      closed: 'closed',
    },
    unreported: ['forbidden', 'redirect', 'closed'],
  },
  'path.unknown': {
    see: async (api) => [
      await outcome(api, 'GET', '/payment/api/v1/nothing'),
      await outcome(api, 'GET', '/payment/api/v1/nothing', { key: keys.unknown }),
      await outcome(api, 'GET', USERS, { key: keys.unknown }),
    ],
    as: {
      not_found: ['404 4040', '401 4101', '401 4101'],
      gateway: ['403 4030', '403 4030', '401 4101'],
    },
  },
  'path.method': {
    see: (api) => outcome(api, 'GET', PAYOUT),
    as: { not_allowed: '405 4050', forbidden: '403 4030', not_found: '404 4040' },
  },
  'body.type': {
    see: (api) =>
      outcome(api, 'POST', PAYOUT, {
        raw: JSON.stringify(payoutRequest()),
        headers: { 'content-type': 'text/plain' },
      }),
    as: { unsupported: '415 4150', invalid: '400 4000' },
  },
  'body.size': {
    see: (api) =>
      outcome(api, 'POST', PAYOUT, {
        raw: '{}',
        headers: { ...JSON_TYPE, 'content-length': String(30 * 1024 * 1024) },
      }),
    as: { too_large: '413 4130', invalid: '400 4000' },
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
  'key.permissions': {
    see: async (api) => [
      await outcome(api, 'GET', USERS, { key: keys.readOnly }),
      await outcome(api, 'GET', AUDIT, { key: keys.readOnly }),
      await outcome(api, 'POST', TNC, { key: keys.readOnly, body: consentRequest() }),
      await outcome(api, 'GET', USERS),
    ],
    as: {
      every_get: ['200', '200', '403 4300', '200'],
      no_users: ['403 4300', '200', '403 4300', '200'],
    },
  },
}
