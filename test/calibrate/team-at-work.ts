import { NOBODY, newConsent, newUser } from '../../src/calibrate/probe/plan.js'
import {
  account,
  type CallAnswer,
  O,
  P,
  pickFrom,
  type Random,
  READ_KEY,
  type Service,
  user,
} from './recorded-service.js'

/** A team at work: plain calls, odd ones, repeats and corrections, in a world that moves by itself. */

type Body = Record<string, unknown>

const payment = (user_id: string, customer_payout_id: string, more: Body) => ({
  user_id,
  currency: 'NGN',
  customer_payout_id,
  amount: '100.00',
  ...more,
})

const to = (recipient_account_number: string, bank_name = 'Marina Test Bank') => ({
  recipient_details: { bank_name, account_holder_name: 'Ada Okafor', recipient_account_number },
})

const RECIPIENTS = [31, 32, 33]
  .map((n) => `06900000${n}`)
  .concat(
    ['1', '2', '3', '4'].map((n) => `000000000${n}`),
    '069000003',
  )
const AMOUNTS = [
  '100.00',
  '100.00',
  '250.50',
  '99.00',
  '50.00',
  '10.00',
  '1.00',
  '0.50',
  '0100.00',
  '+100',
  '100',
  100,
  '100.005',
  '0',
  'x',
  '99999999.00',
  '4999999.00',
]
const EXPIRED = 'SandrampExpiredKey00000000000001'

export const createTeam = (service: Service, random: Random, first = 0): (() => Promise<void>) => {
  const { sandbox, uuid } = service
  const pick = <T>(list: readonly T[]): T => pickFrom(random, list)
  const chance = (part: number) => random() < part
  const sent = { payouts: [] as Body[], wallets: [] as Body[], users: [] as Body[] }
  const transfers: string[] = []
  const addresses: { address: string }[] = []
  let person = 1_000 + first
  const anyUser = () => user(pick([1, 1, 1, 2, 2, 8, 7, 3, 4, 6]))
  const send = (method: string, path: string, body?: unknown, type?: string): Promise<CallAnswer> =>
    service.call(method, path, body, {
      step: pick(['100ms', '1s', '1s', '3s', '20s']),
      ...(type !== undefined && { type }),
      ...(chance(0.02) && { key: pick([null, 'short', READ_KEY, EXPIRED]) }),
    })
  const post = (path: string, body: unknown) => send('POST', path, body)
  const now = (ms: number) => new Date(Date.parse(sandbox.now) + ms).toISOString()

  const drawPayout = (): Body => {
    const id =
      chance(0.4) && sent.payouts.length > 0 ? pick(sent.payouts).customer_payout_id : uuid()
    const [currency, bank_name, number] = pick([
      ['NGN', 'Marina Test Bank', pick(RECIPIENTS)],
      ['NGN', 'Marina Test Bank', pick(RECIPIENTS)],
      ['NGN', 'Access Bank', pick(RECIPIENTS)],
      ['USD', 'Hudson Test Bank', '400012345678'],
      ['EUR', 'Rhine Test Bank', pick(['DE89370400440532013000', 'x1'])],
      ['KES', 'M-PESA', '254712123456'],
      ['ngn', 'Marina Test Bank', pick(RECIPIENTS)],
      ['JPY', 'Marina Test Bank', pick(RECIPIENTS)],
    ])
    const body = payment(pick([anyUser(), NOBODY]), String(id), {
      currency,
      amount: pick(AMOUNTS),
      ...to(number ?? '', bank_name),
      ...(chance(0.04) && { colour: 'red' }),
    })
    const old = chance(0.35) && sent.payouts.length > 0 ? pick(sent.payouts) : undefined
    if (!old) return body
    return chance(0.6)
      ? old
      : {
          ...old,
          ...pick([
            { amount: '99.00' },
            { user_id: user(2) },
            { user_id: user(1) },
            { currency: 'USD' },
            to('0690000032'),
          ]),
        }
  }

  const steps = {
    payout: async () => {
      const body = drawPayout()
      const answer = await send(
        'POST',
        `${P}/payout`,
        body,
        chance(0.02) ? 'text/plain' : undefined,
      )
      sent.payouts.push(body)
      if (answer.status < 400 || chance(0.4)) return
      const mended = {
        ...body,
        ...pick([
          { amount: '100.00' },
          { amount: '100.00', currency: 'NGN' },
          { customer_payout_id: uuid() },
          { user_id: user(1) },
          to('0690000031'),
        ]),
      }
      await post(`${P}/payout`, mended)
      sent.payouts.push(mended)
    },
    wallet: async () => {
      const ref =
        chance(0.4) && sent.wallets.length > 0 ? pick(sent.wallets).customer_wallet_ref : uuid()
      const chain = pick([
        'base',
        'arbitrum',
        'tron',
        'polygon',
        'ethereum',
        'solana',
        'Base',
        'nochain',
      ])
      const fresh = {
        user_id: anyUser(),
        chain,
        customer_wallet_ref: ref,
        ...(chance(0.05) && { colour: 'red' }),
      }
      const body = chance(0.3) && sent.wallets.length > 0 ? pick(sent.wallets) : fresh
      const answer = await post(`${P}/custody-wallet`, body)
      sent.wallets.push(body)
      if (answer.status !== 400 || chance(0.4)) return
      const mended = { user_id: body.user_id, chain: 'base', customer_wallet_ref: ref }
      await post(`${P}/custody-wallet`, mended)
      sent.wallets.push(mended)
    },
    offramp: async () => {
      const user_id = anyUser()
      const answer = await post(`${P}/offramp`, {
        user_id,
        account_id: pick([account(1), account(2), account(5), account(7), NOBODY]),
      })
      if (answer.isOk) addresses.push(answer.body as { address: string })
    },
    user: async () => {
      const consent = await post(
        `${O}/tnc`,
        newConsent(pick([now(-60_000), now(1e12)]), chance(0.9)),
      )
      const plain: Body = newUser(
        String(++person).padStart(9, '0'),
        consent.isOk ? consent.body : uuid(),
      )
      const other = sent.users.length > 0 ? pick(sent.users) : plain
      const body = {
        ...plain,
        ...pick([
          {},
          {},
          { phone_number: '0803 123' },
          { email_address: other.email_address },
          { email_address: String(other.email_address).toUpperCase() },
          { email_address: 'ada.okafor@example.com' },
          { date_of_birth: '2016-01-01' },
          { consent_id: NOBODY },
          { identity: other.identity },
        ]),
      }
      const answer = await post(`${O}/users`, body)
      if (answer.isOk) sent.users.push(body)
      if (answer.status === 400 && chance(0.7) && (await post(`${O}/users`, plain)).isOk)
        sent.users.push(plain)
    },
    read: async () => {
      const id = pick([anyUser(), anyUser(), NOBODY])
      const query = pick([
        '',
        '',
        '?size=100',
        '?size=100',
        '?page=1',
        '?page=99',
        '?size=101',
        '?size=0',
        '?size=x',
        '?colour=red',
        '?page=0&size=2',
        '?page=1&size=2',
      ])
      const token = pick(['USDC', 'USDT', 'usdc', 'NOCOIN', 'DAI'])
      const chain = pick(['polygon', 'ethereum', 'solana', 'Polygon', 'base', 'nochain'])
      const path = pick([
        `${P}/fx-audit/${id}${query}`,
        `${P}/fx-audit/${id}?size=100`,
        `${P}/offramp-audit/${id}${query}`,
        `${P}/offramp-audit/${id}?size=100`,
        `${O}/users/all`,
        `${O}/users/all?page=1`,
        `${P}/custody-wallet/total-balances`,
        `${P}/offramp-audit/crypto-balance/${token}/${chain}/${id}`,
        `${P}/nothing`,
      ])
      const { body } = await send(chance(0.03) ? 'DELETE' : 'GET', path)
      const listed = (body as { transactions?: { id: string }[] } | undefined)?.transactions ?? []
      transfers.push(...listed.map((it) => it.id))
      for (let i = 0; i < 3 && transfers.length > 0; i++)
        await send('GET', `${P}/fx-audit/status/${pick(transfers.slice(-20))}`)
    },
    world: async () => {
      const kind = pick(['wait', 'wait', 'deposit', 'deposit', 'move', 'user', 'rate', 'day'])
      try {
        if (kind === 'wait') sandbox.advance(pick(['1s', '5s', '1m', '1h']))
        if (kind === 'day') sandbox.advance(pick(['3h', '25h']))
        if (kind === 'deposit' && addresses.length > 0) {
          const { address } = pick(addresses)
          const amount = pick(['100.1', '100.02', '5', '0.5', '20000', '77'])
          const { transfer_id } = sandbox.run('deposit.receive', { address, amount })
          if (transfer_id) {
            transfers.push(transfer_id)
            await send('GET', `${P}/fx-audit/status/${transfer_id}`)
          }
        }
        if (kind === 'move') {
          const moved = pick(sandbox.tables.transfers.list('all', ''))
          sandbox.run('transfer.move', {
            id: moved.id,
            to: pick(['FAILED', 'CANCELLED', 'FUNDS_RECEIVED', 'CONVERSION_PROCESSED'] as const),
          })
        }
        if (kind === 'user')
          sandbox.run('user.move', {
            id: user(pick([2, 3, 4, 5, 6, 7])),
            to: pick(['active', 'rejected', 'under_review', 'paused'] as const),
          })
        if (kind === 'rate')
          await sandbox.fetch('/_sandbox/rates', {
            method: 'PUT',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({
              base: 'USD',
              quote: pick(['EUR', 'NGN']),
              rate: pick(['0.86', '0.9', '1390']),
            }),
          })
      } catch {
        // The world does not allow the move.
      }
    },
  }
  const names = [
    'payout',
    'payout',
    'payout',
    'wallet',
    'wallet',
    'offramp',
    'user',
    'read',
    'read',
    'world',
  ] as const
  return () => steps[pick(names)]()
}
