import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type AssumptionId, assumptionIds, READINGS } from '../../src/assumptions/ids.js'
import { type Calibration, calibrate } from '../../src/calibrate/calibrate.js'
import type { Contract } from '../../src/calibrate/contract.js'
import type { Facts } from '../../src/calibrate/facts.js'
import { createInner } from '../support/inner-sandbox.js'

/** A sandbox with hidden readings as the live service, and a recorder in front of it. */

export const FULL_KEY = 'SandrampFullAccessKey00000000001'
export const READ_KEY = 'SandrampReadOnlyKey0000000000001'
export const user = (n: number) => `11111111-1111-4111-8111-${String(n).padStart(12, '0')}`
export const account = (n: number) => `22222222-2222-4222-8222-${String(n).padStart(12, '0')}`

export const P = '/payment/api/v1'
export const O = '/onboarding/api/v1'

export const contract = JSON.parse(
  readFileSync(new URL('../../openapi/contract.json', import.meta.url), 'utf8'),
) as Contract

export type Random = () => number

export const createRandom = (seed: number): Random => {
  let state = (seed * 1_000_003) >>> 0 || 1
  const next = () => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 2 ** 32
  }
  for (let i = 0; i < 10; i++) next()
  return next
}

export const pickFrom = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T

export type Truth = Readonly<Record<AssumptionId, string>>

/** A random reading of each question. */
export const drawTruth = (random: Random): Truth =>
  Object.fromEntries(assumptionIds.map((id) => [id, pickFrom(random, READINGS[id])])) as Truth

export interface Entry {
  startedDateTime: string
  time: number
  request: {
    method: string
    url: string
    bodySize: number
    headers: { name: string; value: string }[]
    postData?: { mimeType: string; text: string }
  }
  response: {
    status: number
    headers: { name: string; value: string }[]
    content: { mimeType: string; size: number; text: string }
  }
}

interface CallOptions {
  readonly key?: string | null
  readonly type?: string
  /** In place of the JSON of the body. */
  readonly raw?: string
  readonly step?: string
  readonly time?: number
}

export interface CallAnswer {
  readonly status: number
  readonly body: unknown
  readonly isOk: boolean
  readonly entry: Entry
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
export type Service = Awaited<ReturnType<typeof openService>>

export const openService = async (truth: Partial<Truth>, seed: number) => {
  const held: (() => void)[] = []
  const readings = Object.entries(truth).map(([id, reading]) => `${id}=${reading}`)
  const sandbox = await createInner({
    clock: 'manual',
    seed: `live-${seed}`,
    requestLog: 0,
    readings,
    sleep: () => new Promise<void>((go) => held.push(go)),
  } as Parameters<typeof createInner>[0])
  // The operator of a staging environment prepares a paused user who has crypto.
  sandbox.run('user.move', { id: user(7), to: 'active' })
  const wallet = sandbox.run('wallet.create', {
    user_id: user(7),
    chain: 'polygon',
    customer_wallet_ref: 'c0de0000-0000-4000-8000-000000000000',
  }) as unknown as { wallet: { wallet_address: string } }
  const { wallet_address: address } = wallet.wallet
  sandbox.run('deposit.receive', { address, amount: '40', crypto: 'USDC', chain: 'polygon' })
  sandbox.run('user.move', { id: user(7), to: 'paused' })
  const entries: Entry[] = []
  const random = createRandom(seed * 7 + 13)
  let drawn = 0
  const uuid = () =>
    `c0de${String(seed % 10_000).padStart(4, '0')}-${String(++drawn).padStart(4, '0')}-4000-8000-${Math.floor(
      random() * 0xffffffff,
    )
      .toString(16)
      .padStart(12, '0')}`
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    options: CallOptions = {},
  ): Promise<CallAnswer> => {
    const { key = FULL_KEY, type = 'application/json', raw, step = '1s', time } = options
    sandbox.advance(step)
    const at = new Date(sandbox.now)
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const headers = {
      ...(key !== null && { 'x-api-key': key }),
      ...(sent !== undefined && { 'content-type': type }),
    }
    const response = await sandbox.fetch(path, {
      method,
      headers,
      ...(sent !== undefined && { body: sent }),
    })
    const text = await response.text()
    const entry: Entry = {
      startedDateTime: at.toISOString(),
      time: time ?? 5 + Math.floor(random() * 40),
      request: {
        method,
        url: `https://live.example${path}`,
        bodySize: sent === undefined ? 0 : Buffer.byteLength(sent),
        headers: Object.entries(headers).map(([name, value]) => ({
          name,
          value: name === 'x-api-key' ? redact(value) : value,
        })),
        ...(sent !== undefined && { postData: { mimeType: type, text: sent } }),
      },
      response: {
        status: response.status,
        headers: [{ name: 'date', value: at.toUTCString() }],
        content: { mimeType: 'application/json', size: Buffer.byteLength(text), text },
      },
    }
    entries.push(entry)
    const isOk = response.status === 200 || response.status === 201
    return { status: response.status, body: parse(text), isOk, entry }
  }
  const facts: Mutable<Facts> & { deposits: NonNullable<Facts['deposits']>[number][] } = {
    users: { main: user(1), other: user(2), poor: user(8), paused: user(7) },
    accounts: {
      [account(1)]: { user: user(1), crypto: 'USDC', chain: 'polygon' },
      [account(2)]: { user: user(1), crypto: 'USDT', chain: 'ethereum' },
      [account(3)]: { user: user(1) },
      [account(4)]: { user: user(1) },
      [account(5)]: { user: user(2), crypto: 'USDT', chain: 'tron' },
      [account(6)]: { user: user(2) },
      [account(7)]: { user: user(7) },
    },
    deposits: [],
    keys: { full: FULL_KEY, read_only: READ_KEY },
    payouts: {
      currency: 'NGN',
      amount: '100.00',
      above_balance: '99999999.00',
      max_total: 10_000,
      recipients: ['0690000031', '0690000032', '0690000033', '0690000034'].map(toRecipient),
      fails: toRecipient('0000000001'),
      returns: toRecipient('0000000004'),
    },
  }
  const run = `c0de${String(seed % 10_000).padStart(4, '0')}`
  return { sandbox, held, entries, call, uuid, run, facts }
}

const toRecipient = (recipient_account_number: string) => ({
  bank_name: 'Marina Test Bank',
  account_holder_name: 'Sandramp Probe',
  recipient_account_number,
})

const redact = (key: string): string =>
  key.length === 32
    ? `redacted:${createHash('sha256').update(key).digest('hex').slice(0, 12)}`
    : key

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const judgeEntries = (
  files: readonly (readonly Entry[])[],
  facts: Facts,
  isComplete: boolean,
): Calibration => {
  const hars = files.map((entries, n) => ({ name: `${n}.har`, entries, isComplete }))
  const found = calibrate(hars, { contract, facts })
  if (!found) throw new Error('nothing of the service')
  return found
}

/** Verdicts that exclude the truth, or that no reading explains, with their requests. */
export const findWrong = ({ verdicts }: Calibration, truth: Truth): string[] =>
  [...verdicts.values()].flatMap(({ id, outcome, left, observations }) => {
    const isWrong = !left.includes(truth[id])
    if (!isWrong && outcome !== 'contradictory' && outcome !== 'unexplained') return []
    const against = observations
      .filter(({ readings }) => !readings.includes(truth[id]))
      .slice(0, 2)
      .flatMap(({ readings, why, shown }) => [
        `  ${readings.join('|')}: ${why}`,
        ...shown
          .slice(0, 4)
          .map(
            ({ number, method, path, body, status, text }) =>
              `    #${number} ${method} ${path} ${JSON.stringify(body)?.slice(0, 400)} ${status} ${text.slice(0, 300)}`,
          ),
      ])
    return [[`${id} is ${truth[id]}: ${outcome} ${left.join('|')}`, ...against].join('\n')]
  })
