import { spawn } from 'node:child_process'
import type * as api from '../../generated/api-types.js'
import { formatDuration, pluralize } from '../console/format.js'
import { describeCause, describeEntry } from '../history/describe-entry.js'
import type { Cause, Entry } from '../kernel/entry.js'
import { parseDuration, parseInstant } from '../kernel/time.js'
import { reachSandbox } from '../kit/connect.js'
import { ControlClient } from '../kit/control-client.js'
import type { ArmedCall, DurationText, NextCall } from '../kit/next.js'
import { SandboxError } from '../kit/sandbox-error.js'
import { SandboxWorld } from '../kit/world.js'
import { inWords } from '../lib/app-error.js'
import { type Arguments, type Flag, findText, invalidFlag, UsageError } from '../lib/arguments.js'
import { machineClock } from '../lib/machine-clock.js'
import { DEFAULT_WORLD, deriveWorldId, hashSecret, isWorldKey } from '../lib/secrets.js'
import type { OperationId } from '../scenarios/language/operations.js'
import { withFlagNames } from './flag-names.js'
import { print } from './print.js'
import { DEFAULT_PORT, helpFlag } from './start-flags.js'

interface Call {
  readonly world: SandboxWorld
  readonly words: readonly string[]
  readonly args: Arguments
  readonly client: ControlClient
}

/** The answer of the control API, and a sentence about it. */
type Output = readonly [json: unknown, text: string]

export interface RemoteCommand {
  /** `<amount>`, or `[<reason>]` if optional. */
  readonly words: string
  readonly about: string
  readonly example: string
  readonly flags?: Readonly<Record<string, Flag>>
  readonly run: (call: Call) => Promise<Output>
}

const URL_HELP = `the sandbox (http://127.0.0.1:${DEFAULT_PORT})`
const TOKEN_HELP = 'its control token, or that of a tenant'
export const commonFlags: Readonly<Record<string, Flag>> = {
  url: { value: '<url>', help: URL_HELP, variable: 'SANDRAMP_URL' },
  'control-token': { value: '<token>', help: TOKEN_HELP, variable: 'SANDRAMP_CONTROL_TOKEN' },
  world: { value: '<id|key|name>', help: 'the world (the default one)' },
  json: { help: 'print the answer of the control API as JSON' },
  help: helpFlag,
}

const MAX_SHOWN = 20

const advance = async ({ world, words: [time = ''] }: Call): Promise<Output> => {
  const isInstant = /^\d{4}-/.test(time)
  if (!isInstant && time !== 'idle' && parseDuration(time) === undefined) {
    const expected = 'a duration such as 3d, an instant such as 2026-06-18T09:00:00Z, or idle'
    throw new UsageError({ field: 'time', received: time, expected })
  }
  const goal = isInstant ? { to: time } : { by: time as DurationText }
  const body = time === 'idle' ? { until: 'idle' as const } : goal
  const json = await world.advance(body)
  const fired = (json.fired as unknown as Entry[]).slice(-MAX_SHOWN).map((it) => {
    const id = it.events[0]?.id ?? ''
    return `\n  ${it.at} ${id} ${describeEntry(it, it.events, undefined, '')}`
  })
  const head = `advanced to ${json.now}, ${pluralize(json.count, 'entry', 'entries')}`
  return [json, head + fired.join('')]
}

const deposit = async ({ world, words: [place = '', amount = ''] }: Call): Promise<Output> => {
  const json = await world.deposit(place, amount)
  const { crypto, chain, matched, reason, transfer_id, wallet_id } = json
  const target = transfer_id === null ? `wallet ${wallet_id}` : `transfer ${transfer_id}`
  const outcome = matched === 'unmatched' ? `unmatched: ${reason}` : `for ${target}`
  return [json, `deposited ${json.amount} ${crypto} on ${chain}, ${outcome}`]
}

const credit = async (call: Call): Promise<Output> => {
  const [user = '', amount = '', currency = ''] = call.words
  const json = await call.world.credit(user, amount, currency as api.Currency)
  return [json, `credited ${user}, whose balance is ${json.amount} ${json.currency}`]
}

type Fail = (world: SandboxWorld, id: string, reason?: string) => Promise<{ status: string }>

const FAILURES: Readonly<Record<string, Fail>> = {
  payouts: (world, id, reason) => world.payout(id).fail(reason),
  transfers: (world, id, reason) => world.transfer(id).fail(reason),
  users: (world, id, reason) => world.user(id).reject(reason === undefined ? reason : [reason]),
}

const fail = async ({ world, client, words: [id = '', reason] }: Call): Promise<Output> => {
  const { noun } = await client.get<api.AnyRecord>(`/records/${encodeURIComponent(id)}`)
  const failure = FAILURES[noun]
  if (!failure) {
    const problem = `it is one of the ${noun.replace('_', ' ')}`
    throw new UsageError({ field: 'id', problem, expected: 'the id of a payout, transfer or user' })
  }
  const json = await failure(world, id, reason)
  return [json, `${noun.slice(0, -1)} ${id} is ${json.status}${reason ? `: ${reason}` : ''}`]
}

/** The control API refuses other texts, and names the field. */
const toNumber = (text: string) => (/^\d+$/.test(text) ? Number(text) : text) as number

const parseJson = (text: string, args: Arguments): Readonly<Record<string, unknown>> => {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidFlag(args, 'patch', text, 'a JSON object')
  }
}

type Arm = (next: NextCall, value: string, args: Arguments) => Promise<ArmedCall>

const respond: Arm = (next, status, args) => {
  const retryAfter = findText(args, 'retry-after') as DurationText | undefined
  const details = { code: findText(args, 'code'), retryAfter }
  return next.respond(toNumber(status), details)
}
const hold: Arm = (next, text, args) => {
  const [, before, time = ''] = /^(commit|answer)=(.+)$/.exec(text) ?? []
  if (!before) throw invalidFlag(args, 'hold', text, 'commit=<duration> or answer=<duration>')
  return next.hold(before as 'commit', time as DurationText)
}
const delay: Arm = (next, time) => next.delay(toNumber(time))
const spoil: Arm = (next, how) => next.malform(how as 'html')
const KINDS = 'spoil the body: truncated_json, html, wrong_content_type, empty'

const FAULTS: Readonly<Record<string, readonly [value: string, help: string, arm: Arm]>> = {
  respond: ['<status>', 'return this status instead', respond],
  fail: [
    '',
    'the new record fails at once; any text may follow as the reason',
    (it, why) => it.fail(why || undefined),
  ],
  'lose-response': ['', 'the response never arrives', (it) => it.loseResponse()],
  'drop-before': ['', 'the connection breaks before the operation', (it) => it.dropBefore()],
  delay: ['<duration|ms>', 'wait before the operation, in real time', delay],
  hold: ['commit|answer=<duration>', 'wait before or after the change, in real time', hold],
  malform: ['<kind>', KINDS, spoil],
  patch: [
    '<json>',
    'change fields of the response',
    (it, text, args) => it.patch(parseJson(text, args)),
  ],
  stale: [
    '<duration>',
    'answer a GET as of some time ago',
    (it, time) => it.stale(time as DurationText),
  ],
  'stay-pending': ['', 'the new record keeps its first status', (it) => it.stayPending()],
  return: [
    '',
    'the bank returns the payment; a duration may follow',
    (it, after) => it.return({ after: (after || undefined) as DurationText | undefined }),
  ],
}

const nextFlags: Readonly<Record<string, Flag>> = {
  ...Object.fromEntries(
    Object.entries(FAULTS).map(([name, [value, help]]) => [
      name,
      { help, ...(value && { value }) },
    ]),
  ),
  code: { value: '<code>', help: 'for --respond: the error code' },
  'retry-after': { value: '<duration>', help: 'for --respond: the header retry-after' },
  times: { value: '<n>|always', help: 'how many calls take it (1)' },
  user: { value: '<id|name>', help: 'only calls about this user' },
  optional: { help: 'no call has to take it' },
  clear: { help: 'disarm all calls' },
}

const next = async (call: Call): Promise<Output> => {
  const { world, client, args, words } = call
  const [operation, word = ''] = words
  if (args.flags.has('clear')) {
    if (operation !== undefined) {
      const expected = 'none beside --clear, which disarms all calls'
      throw new UsageError({ field: 'operation', received: operation, expected })
    }
    const json = await client.send<{ disarmed: number }>('DELETE', '/next')
    return [json, `disarmed ${pluralize(json.disarmed, 'call')}`]
  }
  const [fault = '', ...more] = Object.keys(FAULTS).filter((name) => args.flags.has(name))
  const [value, , arm] = FAULTS[fault] ?? []
  if (!arm && operation === undefined) return listArmed(client)
  const isSurplus = word !== '' && fault !== 'fail' && fault !== 'return'
  if (!arm || more.length > 0 || isSurplus) {
    const given = [fault, ...more].filter(Boolean).map((it) => `--${it}`)
    const received = [...given, isSurplus ? word : ''].filter(Boolean).join(' ') || undefined
    const faults = Object.keys(FAULTS).map((it) => `--${it}`)
    throw new UsageError({
      field: 'fault',
      received,
      expected: `exactly one of ${faults.join(', ')}`,
    })
  }
  const stray = ['code', 'retry-after'].find((it) => args.flags.has(it) && fault !== 'respond')
  if (stray) {
    const problem = `--${stray} was given without --respond`
    throw new UsageError({ problem, expected: 'both or neither' })
  }
  const times = findText(args, 'times')
  const name = operation === 'any' ? undefined : (operation as OperationId)
  const armed = world.next(name, {
    times: times === undefined ? times : toNumber(times),
    userId: findText(args, 'user'),
    ...(args.flags.has('optional') && { optional: true }),
  })
  const json = await arm(armed, value ? (findText(args, fault) ?? '') : word, args)
  return [json, `armed ${json.rule} for ${operation ?? 'any'}`]
}

const listArmed = async (client: ControlClient): Promise<Output> => {
  const json = await client.get<{ items: Record<string, unknown>[] }>('/next')
  const lines = json.items.map(
    (it) => `${it.rule} ${it.operation ?? 'any'} ${JSON.stringify(it.then)}, left: ${it.left}`,
  )
  return [json, lines.join('\n') || 'no call is armed']
}

const undo = async ({ world }: Call): Promise<Output> => {
  const json = await world.undo()
  return [json, `undid the change ${describeCause(json.undone as Cause)}; it is ${json.now}`]
}

const redo = async ({ client }: Call): Promise<Output> => {
  const json = await client.send<api.Redone>('POST', '/redo')
  return [json, `redid the change ${describeCause(json.redone as Cause)}; it is ${json.now}`]
}

type Worlds = { readonly items: readonly api.World[] }

const formatAge = ({ created_at }: api.World): string =>
  `${formatDuration(Math.max(0, machineClock() - parseInstant(created_at)))} old`

const worlds = async ({ client: { transport } }: Call): Promise<Output> => {
  const main = new ControlClient(transport, undefined)
  const json = await main.get<Worlds>('/worlds', { size: 1_000 })
  const lines = json.items.map((it) => {
    const entries = pluralize(it.entries, 'entry', 'entries')
    return `${it.id.padEnd(32)}  ${it.now}  ${entries}, ${formatAge(it)}  ${it.name ?? ''}`.trim()
  })
  return [json, lines.join('\n')]
}

const OPENERS: Readonly<Record<string, string>> = { darwin: 'open', win32: 'explorer' }

const open = async ({ world }: Call): Promise<Output> => {
  const url = `${await world.url()}/${world.id === DEFAULT_WORLD ? '' : `?world=${world.id}`}`
  const opener = OPENERS[process.platform] ?? 'xdg-open'
  const browser = spawn(opener, [url], { stdio: 'ignore', detached: true })
  // A machine without a browser still prints the URL.
  browser.on('error', () => {}).unref()
  return [{ url }, url]
}

const tail = async ({ client, args }: Call): Promise<Output> => {
  const { tail } = await import('./tail.js')
  return tail(client, findText(args, 'status'), args.flags.has('json'))
}

/** Commands for a running sandbox, by name. */
export const remoteCommands = {
  advance: {
    words: '<time>',
    about: 'Moves the clock of a world by a duration, to an instant, or until idle.',
    example: 'advance 3d',
    run: advance,
  },
  deposit: {
    words: '<address> <amount>',
    about: 'Simulates a deposit at an address, or at a wallet of the fixtures such as adaPolygon.',
    example: 'deposit adaPolygon 100',
    run: deposit,
  },
  credit: {
    words: '<user> <amount> <currency>',
    about: 'Adds money to the balance of a user, by id or by a name of the fixtures.',
    example: 'credit ada 5000 NGN',
    run: credit,
  },
  fail: {
    words: '<id> [<reason>]',
    about: 'Lets a payout or a transfer fail, or rejects a user.',
    example: 'fail 77777777-7777-4777-8777-000000000001 account_closed',
    run: fail,
  },
  next: {
    words: '[<operation>|any]',
    about:
      'Arms one fault for the next call of an operation. Without a fault, lists the armed calls.',
    example: 'next createPayout --lose-response',
    flags: nextFlags,
    run: next,
  },
  tail: {
    words: '',
    about: 'Prints the newest 10 requests and each new one; with --world all, of all worlds.',
    example: 'tail --status 4xx',
    flags: { status: { value: '<status>', help: 'only this status, such as 404 or 4xx' } },
    run: tail,
  },
  undo: {
    words: '',
    about: 'Takes back the last change of a world and all that followed from it.',
    example: 'undo --world 1f0e…',
    run: undo,
  },
  redo: {
    words: '',
    about: 'Takes back the newest undo of a world, until its next change.',
    example: 'redo --world 1f0e…',
    run: redo,
  },
  worlds: {
    words: '',
    about: 'Lists the worlds, most recently used first.',
    example: 'worlds --json',
    run: worlds,
  },
  open: {
    words: '',
    about: 'Opens the console in the browser, and prints its URL.',
    example: "open --world 'pays once'",
    run: open,
  },
} satisfies Readonly<Record<string, RemoteCommand>>

export type RemoteName = keyof typeof remoteCommands

export const isRemote = (name: string): name is RemoteName => Object.hasOwn(remoteCommands, name)

/** The world that --world names. */
const findWorld = async (main: ControlClient, args: Arguments): Promise<ControlClient> => {
  const world = findText(args, 'world')
  if (world === undefined || world === DEFAULT_WORLD) return main
  const enter = (id: string, key?: string) => new ControlClient(main.transport, key, id)
  if (isWorldKey(world)) return enter(deriveWorldId(hashSecret(world)), world)
  if (/^([\da-f]{32}|all)$/.test(world)) return enter(world)
  const { items } = await main.get<Worlds>('/worlds', { name: world })
  const [found, ...more] = items
  if (!found) throw invalidWorld(args)
  if (more.length === 0) return enter(found.id)
  const expected = items.map((it) => `${it.id} (${formatAge(it)})`).join(', ')
  const problem = 'several worlds have this name'
  throw new UsageError({ field: args.sourceOf('world'), problem, expected })
}

const WORLD_FORM = 'the id, key or name of a world. sandramp worlds lists them'

const invalidWorld = (args: Arguments): UsageError =>
  invalidFlag(args, 'world', findText(args, 'world'), WORLD_FORM)

/** Fields whose flag or argument has another name. */
const NAMES: Readonly<Record<string, string>> = {
  to: 'time',
  user_id: 'user',
  'then.respond.code': 'code',
  'then.respond.retry_after': 'retry-after',
}

const nameOf = (
  field: string,
  { flags, sourceOf }: Arguments,
  table: Readonly<Record<string, Flag>>,
): string => {
  // A name within the JSON of the flag.
  if (field.startsWith('then.patch.')) return field.replace('then.patch', '--patch')
  const isFault = field === 'time' || field.startsWith('then.')
  const fault = isFault ? Object.keys(FAULTS).find((it) => flags.has(it)) : undefined
  const name = NAMES[field] ?? fault ?? field
  return Object.hasOwn(table, name) ? sourceOf(name) : name
}

const explainAccess = (error: unknown, args: Arguments): unknown => {
  if (!(error instanceof SandboxError)) return error
  const { code, field } = error
  if (code === '4011') {
    const received = args.flags.has('control-token') ? inWords('a wrong one') : undefined
    return invalidFlag(args, 'control-token', received, 'that of the sandbox, or of a tenant')
  }
  return code === '4101' || field === 'world' ? invalidWorld(args) : error
}

/** `next` checks its second word itself: --fail or --return may have one. */
const assertWords = (name: string, words: string, given: readonly string[]): void => {
  const spec = words.split(' ').filter(Boolean)
  const expected = `sandramp ${name} ${words}`.trim()
  const missing = spec[given.length]
  if (missing?.startsWith('<')) throw new UsageError({ field: missing.slice(1, -1), expected })
  const received = given[spec.length + (name === 'next' ? 1 : 0)]
  if (received !== undefined) throw new UsageError({ field: 'argument', received, expected })
}

const enter = async (url: string, args: Arguments): Promise<Call> => {
  const transport = await reachSandbox(url, findText(args, 'control-token'))
  const main = new ControlClient(transport, undefined)
  const fixtures = await main.get<api.Fixtures>('/fixtures')
  const client = await findWorld(main, args)
  const { world: id = DEFAULT_WORLD } = client
  const world = new SandboxWorld({ key: '', id, name: undefined, seed: '', fixtures, client })
  return { world, words: args.words, args, client }
}

export const runRemote = async (name: RemoteName, args: Arguments): Promise<void> => {
  const { words, run, flags }: RemoteCommand = remoteCommands[name]
  assertWords(name, words, args.words)
  const url = findText(args, 'url') ?? `http://127.0.0.1:${DEFAULT_PORT}`
  const work = async () => {
    const [json, text] = await run(await enter(url, args))
    print(`${args.flags.has('json') ? JSON.stringify(json, null, 2) : text}\n`)
  }
  const explained = () => work().catch((error) => Promise.reject(explainAccess(error, args)))
  const table = { ...commonFlags, ...flags }
  await withFlagNames(args, explained, (field) => nameOf(field, args, table))
}
