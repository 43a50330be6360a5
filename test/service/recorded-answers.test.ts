import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import {
  accounts,
  addresses,
  BEGINNING,
  consents,
  keys,
  NOBODY,
  ownId,
  transferId,
  users,
} from '../support/fixture-ids.js'
import { openOwnSandbox, type Transport, transports } from '../support/open-sandbox.js'
import {
  consentRequest,
  offrampRequest,
  payoutRequest,
  userRequest,
  walletRequest,
} from '../support/requests.js'
import { MISSING, withField } from '../support/with-field.js'

type Json = Readonly<Record<string, unknown>>

/** A step of requests.yaml, which explains the fields. */
interface Step {
  readonly get?: string
  readonly post?: string
  readonly method?: string
  readonly path?: string
  readonly with?: Json
  readonly without?: string
  readonly raw?: string
  readonly encoding?: BufferEncoding
  readonly type?: string | null
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly as?: string
  readonly fresh?: boolean
  readonly vary?: string
  readonly each?: readonly unknown[]
  readonly fields?: string
  readonly groups?: readonly (readonly string[])[]
  readonly odd?: readonly unknown[]
  readonly values?: Readonly<Record<string, readonly unknown[]>>
  readonly control?: string
  readonly body?: unknown
  readonly advance?: string
}

const requestFile = new URL('recorded-answers/requests.yaml', import.meta.url)
const topics = parse(readFileSync(requestFile, 'utf8')) as Record<string, Step[]>

/** Paths and valid bodies. A client id of its own keeps a body from being a repeat. */
const creations: Readonly<Record<string, [path: string, body: (id: string) => object]>> = {
  payout: ['/payment/api/v1/payout', (id) => ({ ...payoutRequest(), customer_payout_id: id })],
  wallet: [
    '/payment/api/v1/custody-wallet',
    (id) => ({ ...walletRequest(), customer_wallet_ref: id }),
  ],
  offramp: ['/payment/api/v1/offramp', offrampRequest],
  user: ['/onboarding/api/v1/users', userRequest],
  consent: ['/onboarding/api/v1/tnc', consentRequest],
}

const expandStep = (step: Step): Step[] => {
  const { vary, each, fields, groups = [], odd = [], values = {}, ...rest } = step
  if (fields !== undefined) {
    const base = { post: fields, fresh: true }
    return [
      base,
      ...groups.flat().map((field) => ({ ...base, without: field })),
      ...groups.flatMap((names) =>
        odd.map((value) => ({ ...base, with: Object.fromEntries(names.map((it) => [it, value])) })),
      ),
      ...Object.entries(values).flatMap(([field, list]) =>
        list.map((value) => ({ ...base, with: { [field]: value } })),
      ),
    ]
  }
  if (!each) return [rest]
  return each.map((value) => {
    if (vary) return { ...rest, [vary]: value }
    return rest.post ? { ...rest, with: value as Json } : { ...rest, get: `${rest.get}${value}` }
  })
}

type Answers = Record<string, Json>

const numbers = Array.from({ length: 12 }, (_, n) => n + 1)
const fixtureNames: Answers = {
  ...{ users, accounts, addresses, consents, keys },
  nobody: { id: NOBODY },
  own: Object.fromEntries(numbers.map((n) => [n, ownId(n)])),
  transfer: Object.fromEntries(numbers.map((n) => [n, transferId(n)])),
}

/** Replaces `$name.field` and `(x*300)`. */
const fillIn = (text: string, answers: Answers): string =>
  text
    .replace(/\$(\w+)\.(\w+)/g, (_, name: string, field: string) => {
      const value = answers[name]?.[field]
      expect(value, `the value of $${name}.${field}`).toBeTypeOf('string')
      return String(value)
    })
    .replace(/\((.)\*(\d+)\)/gu, (_, text: string, times: string) => text.repeat(Number(times)))

const fixtures = new URL('../../fixtures/', import.meta.url)
const fixtureText = readdirSync(fixtures)
  .map((name) => readFileSync(new URL(name, fixtures), 'utf8'))
  .join('\n')

const SEEDED =
  /(?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|(?<time>\d{4}-\d\d-\d\dT[\d:.]{12}Z)|(?<=[A-Z]-)(?<digits>\d{12})\b|(?<address>0x[\da-fA-F]{40}|\b[1-9A-HJ-NP-Za-km-z]{32,44}\b)|(?<shortened>\w*\*{4}\w{4})/g

/** The ids that requests choose, and the one that messages name as an example. */
const CHOSEN = /^(?:abcdef00|0f0f0f0f|00000000|ffffffff|3f0c8f6e)-/

/** Whether the fixtures or the request decide the value. */
const isFixed = (value: string): boolean =>
  CHOSEN.test(value) ||
  (value.includes('****')
    ? new RegExp(`\\b${value.replace('****', '\\w*')}\\b`).test(fixtureText)
    : fixtureText.includes(value))

/** Masks values that the seed decides; equal ones get equal masks. Times become seconds of the world. */
const createMask = () => {
  const masks = new Map<string, string>()
  const maskValue = (kind: string, value: string): string => {
    const mask = masks.get(value) ?? `<${kind} ${masks.size + 1}>`
    masks.set(value, mask)
    return mask
  }
  return (text: string): string =>
    text.replace(SEEDED, (value: string, ...rest) => {
      const groups = rest.at(-1) as Record<string, string | undefined>
      const kind = Object.keys(groups).find((it) => groups[it] !== undefined) ?? ''
      if (kind !== 'time') return isFixed(value) ? value : maskValue(kind, value)
      const seconds = (Date.parse(value) - Date.parse(BEGINNING)) / 1_000
      return seconds < 0 || Number.isNaN(seconds) ? value : `<+${seconds} s>`
    })
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The code and message of an error whose other fields are as usual; else the whole text. */
const formatError = (text: string, method: string, path: string): string => {
  if (!text.startsWith('{"code"')) return text
  const { code, message, requestId } = JSON.parse(text)
  const [pathname = ''] = path.split(/[?#]/)
  const resourcePath = `/${pathname.split('/')[1]}/{proxy+}`
  const usual = { code, httpMethod: method, message, path: pathname, requestId, resourcePath }
  if (!UUID.test(requestId) || text !== JSON.stringify(usual)) return text
  // The JavaScript engine words the rest.
  return `${code} ${message.replace(/(not well-formed JSON: )(?!it begins).*/, '$1…')}`
}

/** One line per item of a list. Of a record that `known` has, only the fields that differ. */
const formatRecords = (text: string, known: Map<string, Json>, isFresh = false): string => {
  if (!/^[[{]/.test(text) || JSON.stringify(JSON.parse(text)) !== text) return text
  const short = JSON.stringify(JSON.parse(text), (_, value) => {
    if (typeof value?.id !== 'string') return value
    const key = [value.id, ...Object.keys(value)].join()
    const before = known.get(key)
    if (!before || !isFresh) known.set(key, value)
    if (!before) return value
    const isChanged = ([name, field]: [string, unknown]) =>
      JSON.stringify(field) !== JSON.stringify(before[name])
    return { 'as above': value.id, ...Object.fromEntries(Object.entries(value).filter(isChanged)) }
  })
  return short.replace(/(?<=[[,])(?=\{"(?:id|as above)")/g, '\n    ')
}

const MAX_SHOWN = 100
const shorten = (text: string): string =>
  text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text

const REGULAR_ID = /\b(?:([\da-d])\1{7}(?:-\w{4}){3}|abcdef00-0000-4000-8000)-0{8}(\d{4})\b/g

/** Shortens the ids of fixtures (`<1…0001>`) and tests (`<own…0001>`) and repeated characters; escapes invisible ones. */
const toReadable = (text: string): string =>
  text
    .replace(REGULAR_ID, (_, digit: string | undefined, n: string) => `<${digit ?? 'own'}…${n}>`)
    .replace(/(.)\1{63,}/gu, (run, it: string) => `(${it}*${[...run].length})`)
    .replace(/(?![ \n])[\p{C}\p{Z}]/gu, (it) => `\\u{${it.codePointAt(0)?.toString(16)}}`)

const describeRequest = (method: string, path: string, step: Step): string => {
  const details = (['without', 'raw', 'encoding', 'type', 'key', 'headers'] as const).flatMap(
    (name) => (name in step ? [`${name} ${shorten(JSON.stringify(step[name]))}`] : []),
  )
  const changes = step.with ? [shorten(JSON.stringify(step.with))] : []
  return [method, shorten(path), ...changes, ...details].join(' ')
}

/** A scenario that cuts the connection makes fetch reject with this error. */
const ignoreCut = (error: unknown): undefined => {
  if (!(error instanceof TypeError)) throw error
}

const play = async (steps: readonly Step[], over: Transport): Promise<string> => {
  const { sandbox, carry } = await openOwnSandbox({ over })
  const answers: Answers = { ...fixtureNames }
  const lines: string[] = []
  let mask = createMask()
  const known = new Map<string, Json>()
  let requests = 0
  const send = async (method: string, path: string, init: RequestInit, as?: string) => {
    const response = await carry(path, { method, ...init })
    const text = (await response.text()).replace(/127\.0\.0\.1:\d+/, 'localhost')
    if (as) {
      const answer = JSON.parse(text)
      answers[as] = typeof answer === 'string' ? { value: answer } : answer
    }
    return { response, text }
  }
  const direct = async ({ control, method = 'POST', body, as }: Step) => {
    const headers = { 'content-type': 'application/json' }
    const sent = body ? { body: fillIn(JSON.stringify(body), answers) } : {}
    const path = fillIn(`/_sandbox/${control}`, answers)
    const { response, text } = await send(method, path, { headers, ...sent }, as)
    expect(response.ok, `${control}: ${text}`).toBe(true)
    lines.push(`# ${method} ${control} ${JSON.stringify(body) ?? ''}`.trimEnd())
  }
  const request = async (step: Step) => {
    const { get, post = '', raw, encoding, type = 'application/json', key = keys.full, as } = step
    const [creation, createBody] = creations[post] ?? []
    const method = get ? 'GET' : post ? 'POST' : (step.method ?? '')
    const template = get ?? creation ?? step.path ?? ''
    const path = fillIn(template, answers)
    requests += 1
    if (step.fresh) {
      sandbox.reset()
      mask = createMask()
    }
    const changes = { ...step.with, ...(step.without && { [step.without]: MISSING }) }
    const changed = Object.entries(changes).reduce(
      (body: unknown, [field, value]) => withField(body, field, value),
      createBody?.(ownId(step.fresh ? 100 : 100 + requests)),
    )
    const text = raw ?? JSON.stringify(changed)
    const headers = {
      ...(key !== null && { 'x-api-key': fillIn(key, answers) }),
      ...(text && type !== null && { 'content-type': type }),
      ...step.headers,
    }
    const sent = text ? { body: Buffer.from(fillIn(text, answers), encoding) } : {}
    const line = `${describeRequest(method, post || template, step)} →`
    const answer = await send(method, path, { headers, ...sent }, as).catch(ignoreCut)
    if (answer) {
      const { response, text } = answer
      const media = response.headers.get('content-type')
      const location = response.headers.get('location')
      const notable = [media === 'application/json' ? [] : [media], location ?? []].flat()
      const shown = formatRecords(mask(formatError(text, method, path)), known, step.fresh)
      lines.push([line, response.status, ...notable, shown].join(' ').trimEnd())
    } else lines.push(`${line} no response`)
  }
  for (const step of steps.flatMap(expandStep)) {
    if (step.advance) {
      sandbox.advance(step.advance)
      lines.push(`# advance ${step.advance}`)
    } else await (step.control ? direct(step) : request(step))
  }
  return `${toReadable(lines.join('\n'))}\n`
}

// To record again: npx vitest run -u test/service/recorded-answers.test.ts
describe.each(transports)('over %s', (over) => {
  test.each(Object.entries(topics))(
    'requests about %s get the recorded answers',
    async (topic, steps) => {
      const file = `recorded-answers/${topic.replaceAll(' ', '-')}.txt`
      await expect(await play(steps, over)).toMatchFileSnapshot(file)
    },
  )
})
