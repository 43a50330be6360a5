import { spawn } from 'node:child_process'
import type * as api from '../../generated/api-types.js'
import { creditUser } from '../api/control/balances.js'
import { advanceClock } from '../api/control/clock.js'
import { receiveDeposit } from '../api/control/deposits.js'
import { controlOperations } from '../api/control/index.js'
import { advancePayout } from '../api/control/payouts.js'
import { advanceTransfer } from '../api/control/transfers.js'
import { why } from '../api/control/why.js'
import { redo, undo } from '../api/control/world.js'
import { listWorlds } from '../api/control/worlds.js'
import { formatDuration, pluralize } from '../history/format.js'
import { parseDuration, parseInstant } from '../kernel/time.js'
import { reachSandbox } from '../kit/connect.js'
import { ControlClient } from '../kit/control-client.js'
import { SandboxError } from '../kit/sandbox-error.js'
import { inWords } from '../lib/app-error.js'
import { type Arguments, type Flag, findText, invalidFlag, UsageError } from '../lib/arguments.js'
import { machineClock } from '../lib/machine-clock.js'
import { DEFAULT_WORLD, deriveWorldId, hashSecret, isWorldKey } from '../lib/secrets.js'
import { withFlagNames } from './flag-errors.js'
import { detailFlags, detailNames, faultFlags, readStep, toNumber } from './next-faults.js'
import { type Call, type Output, ofOperation, type RemoteCommand } from './operation-command.js'
import { print } from './print.js'
import { DEFAULT_PORT, helpFlag } from './start-flags.js'
import { nameWorld, tail } from './tail.js'

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
const MAX_NAME = 40

const UNITS: Readonly<Record<string, string>> = { d: 'day', h: 'hour', min: 'minute', s: 'second' }

/** `3 days` */
const inUnits = (ms: number): string =>
  formatDuration(ms).replace(/(\d+) (d|h|min|s)\b/g, (_, n, unit) =>
    pluralize(Number(n), UNITS[unit] ?? unit),
  )

const sayAdvanced = (
  { now, count, fired }: api.ClockAdvanced,
  { words: [time = ''] }: Call,
): string => {
  const by = parseDuration(time)

  const lines = fired.slice(-MAX_SHOWN).map(({ at, sentence }) => `\n  ${at} ${sentence}`)
  const timers = count === 0 ? 'no timer was due' : `${pluralize(count, 'timer')} fired`
  return `advanced${by === undefined ? '' : ` ${inUnits(by)}`}, ${timers}; it is ${now}${lines.join('')}`
}

const sayDeposited = (deposit: api.Deposit): string => {
  const { amount, crypto, chain, matched, reason, transfer_id, wallet_id } = deposit
  const target = transfer_id === null ? `wallet ${wallet_id}` : `transfer ${transfer_id}`
  const outcome = matched === 'unmatched' ? `unmatched: ${reason}` : `for ${target}`
  return `deposited ${amount} ${crypto} on ${chain}, ${outcome}`
}

const sayCredited = ({ amount, currency }: api.FiatBalance, { words: [user] }: Call): string =>
  `credited ${user}, whose balance is ${amount} ${currency}`

const sayWhy = ({ entries, next }: api.Why): string => {
  const planned = next.map(({ due, sentence }) => `${due ?? 'later'} ${sentence}`)
  return [...entries.map(({ at, sentence }) => `${at} ${sentence}`), ...planned].join('\n')
}

const sayMoved = ({ id, status }: { readonly id: string; readonly status: string }): string =>
  `${id} is ${status}`

const FAILURES: Readonly<Record<string, readonly [path: string, (reason?: string) => object]>> = {
  payouts: ['advance', (reason) => ({ to: 'PAYOUT_FAILED', reason })],
  transfers: ['advance', (reason) => ({ to: 'FAILED', reason })],
  users: ['status', (reason) => ({ status: 'rejected', ...(reason && { reasons: [reason] }) })],
}

const fail = async ({ client, words: [id = '', reason] }: Call): Promise<Output> => {
  const { noun } = await client.get<api.AnyRecord>(`/records/${encodeURIComponent(id)}`)
  const failure = FAILURES[noun]
  if (!failure) {
    const problem = `it is one of the ${noun.replace('_', ' ')}`
    throw new UsageError({ field: 'id', problem, expected: 'the id of a payout, transfer or user' })
  }
  const [path, toBody] = failure
  const target = `/${noun}/${id}/${path}`
  const json = await client.send<{ status: string }>('POST', target, toBody(reason))
  return [json, `${noun.slice(0, -1)} ${id} is ${json.status}${reason ? `: ${reason}` : ''}`]
}

const nextFlags: Readonly<Record<string, Flag>> = {
  ...faultFlags,
  ...Object.fromEntries(detailFlags.map(({ name, flag }) => [name, flag])),
  times: { value: '<n>|always', help: 'how many calls take it (1)' },
  user: { value: '<id|name>', help: 'only calls about this user' },
  optional: { help: 'no call has to take it' },
  clear: { help: 'disarm all calls' },
}

const next = async (call: Call): Promise<Output> => {
  const { client, args, words } = call
  const [operation, word = ''] = words
  if (args.flags.has('clear')) {
    if (operation !== undefined) {
      const expected = 'none beside --clear, which disarms all calls'
      throw new UsageError({ field: 'operation', received: operation, expected })
    }
    const json = await client.send<{ disarmed: number }>('DELETE', '/next')
    return [json, `disarmed ${pluralize(json.disarmed, 'call')}`]
  }
  const [fault = '', ...more] = Object.keys(faultFlags).filter((name) => args.flags.has(name))
  const flag = faultFlags[fault]
  if (!flag && operation === undefined) return listArmed(client)
  const isSurplus = word !== '' && !flag?.lead
  if (!flag || more.length > 0 || isSurplus) {
    const given = [fault, ...more].filter(Boolean).map((it) => `--${it}`)
    const received = [...given, isSurplus ? word : ''].filter(Boolean).join(' ') || undefined
    const faults = Object.keys(faultFlags).map((it) => `--${it}`)
    throw new UsageError({
      field: 'fault',
      received,
      expected: `exactly one of ${faults.join(', ')}`,
    })
  }
  const stray = detailFlags.find((it) => args.flags.has(it.name) && !it.of.includes(fault))
  if (stray) {
    const problem = `--${stray.name} was given without --${stray.of.join(' or --')}`
    throw new UsageError({ problem, expected: 'both or neither' })
  }
  const times = findText(args, 'times')
  const json = await client.send<{ rule: string }>('POST', '/next', {
    ...(operation !== 'any' && { operation }),
    user_id: findText(args, 'user'),
    times: times === undefined ? times : toNumber(times),
    ...(args.flags.has('optional') && { optional: true }),
    then: readStep(flag, flag.value ? (findText(args, fault) ?? '') : word, args),
  })
  return [json, `armed ${json.rule} for ${operation ?? 'any'}`]
}

const listArmed = async (client: ControlClient): Promise<Output> => {
  const json = await client.get<{ items: Record<string, unknown>[] }>('/next')
  const lines = json.items.map(
    (it) => `${it.rule} ${it.operation ?? 'any'} ${JSON.stringify(it.then)}, left: ${it.left}`,
  )
  return [json, lines.join('\n') || 'no call is armed']
}

const sayUndone = ({ sentence, now }: api.Undone): string =>
  `undid: ${sentence ?? 'the last change'}; it is ${now}`

const sayRedone = ({ sentence, now }: api.Redone): string =>
  `redid: ${sentence ?? 'the last change'}; it is ${now}`

type Worlds = { readonly items: readonly api.ListedWorld[] }

const formatAge = ({ created_at }: api.World): string =>
  `${formatDuration(Math.max(0, machineClock() - parseInstant(created_at)))} old`

const sayWorlds = ({ items }: Worlds): string => {
  const width = Math.min(MAX_NAME, Math.max(...items.map((it) => nameWorld(it).length)))
  return items
    .map((it) => {
      const entries = pluralize(it.entries, 'entry', 'entries')
      const line = `${nameWorld(it).padEnd(width)}  ${it.now}  ${entries}, ${formatAge(it)}  ${it.id}`
      return [line, ...it.problems.map(({ word, text }) => `  ${word}: ${text}`)].join('\n')
    })
    .join('\n')
}

const OPENERS: Readonly<Record<string, string>> = { darwin: 'open', win32: 'explorer' }

const open = async ({ client: { transport, world } }: Call): Promise<Output> => {
  const url = `${await transport.url()}/${world === undefined ? '' : `?world=${world}`}`
  const opener = OPENERS[process.platform] ?? 'xdg-open'
  const browser = spawn(opener, [url], { stdio: 'ignore', detached: true })
  // A machine without a browser still prints the URL.
  browser.on('error', () => {}).unref()
  return [{ url }, url]
}

/** Commands for a running sandbox, by name. */
export const remoteCommands = {
  advance: ofOperation(advanceClock, {
    words: ['time=until|to|by'],
    example: 'advance 3d',
    say: sayAdvanced,
  }),
  deposit: ofOperation(receiveDeposit, {
    words: ['address', 'amount'],
    example: 'deposit adaPolygon 100',
    say: sayDeposited,
  }),
  credit: ofOperation(creditUser, {
    words: ['user=id', 'amount', 'currency'],
    example: 'credit ada 5000 NGN',
    say: sayCredited,
  }),
  why: ofOperation(why, {
    example: 'why 77777777-7777-4777-8777-000000000001',
    say: sayWhy,
  }),
  fail: {
    words: '<id> [<reason>]',
    brief: 'Let a payout or a transfer fail, or reject a user',
    about: 'Lets a payout or a transfer fail, or rejects a user.',
    example: 'fail 77777777-7777-4777-8777-000000000001 account_closed',
    run: fail,
  },
  process: ofOperation(advancePayout, {
    example: 'process 77777777-7777-4777-8777-000000000003',
    given: { to: 'PAYOUT_PROCESSED' },
    brief: 'Process a pending payout',
    about: 'Processes a pending payout.',
    say: sayMoved,
  }),
  resume: ofOperation(advanceTransfer, {
    example: 'resume 66666666-6666-4666-8666-000000000009',
    given: { resume: true },
    brief: 'Let a held transfer go on by itself',
    about: 'Lets a held transfer go on by itself.',
    say: sayMoved,
  }),
  next: {
    words: '[<operation>|any]',
    brief: 'Arm one fault for the next call of an operation',
    about:
      'Arms one fault for the next call of an operation. Without a fault, lists the armed calls.',
    example: 'next createPayout --lose-response',
    flags: nextFlags,
    names: {
      user_id: 'user',
      ...detailNames,
    },
    run: next,
  },
  tail: {
    words: '',
    brief: 'Print requests as they end',
    about: 'Prints the newest 10 requests and each new one; with --world all, of all worlds.',
    example: 'tail --status 4xx',
    flags: { status: { value: '<status>', help: 'only this status, such as 404 or 4xx' } },
    run: ({ client, args }) => tail(client, findText(args, 'status'), args.flags.has('json')),
  },
  undo: ofOperation(undo, { example: 'undo --world 1f0e…', say: sayUndone }),
  redo: ofOperation(redo, { example: 'redo --world 1f0e…', say: sayRedone }),
  worlds: ofOperation(listWorlds, {
    example: 'worlds --json',
    given: { size: 1_000 },
    say: sayWorlds,
  }),
  open: {
    words: '',
    brief: 'Open the console in the browser',
    about: 'Opens the console in the browser, and prints its URL.',
    example: "open --world 'pays once'",
    run: open,
  },
} satisfies Readonly<Record<string, RemoteCommand>>

export type RemoteName = keyof typeof remoteCommands

/** A command by its name, or by that of its operation. A stream is read by `tail`. */
export const findRemote = (name: string): RemoteCommand | undefined => {
  if (Object.hasOwn(remoteCommands, name)) return remoteCommands[name as RemoteName]
  const operation = otherOperations.find(({ id }) => id === name)
  return operation && ofOperation(operation)
}

export const otherOperations = controlOperations.filter(
  ({ id, isStream }) => !isStream && !Object.hasOwn(remoteCommands, id),
)

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

const nameOf = (
  field: string,
  { flags, sourceOf }: Arguments,
  { names = {}, flags: own = {} }: RemoteCommand,
): string => {
  // A name within the JSON of the flag.
  if (field.startsWith('then.patch.')) return field.replace('then.patch', '--patch')
  const isFault = field === 'time' || field.startsWith('then.')
  const fault = isFault ? Object.keys(faultFlags).find((it) => flags.has(it)) : undefined
  const [head = ''] = field.split('.')
  const table = { ...commonFlags, ...own }
  const name = names[field] ?? fault ?? head.replaceAll('_', '-')
  const shown = Object.hasOwn(table, name) ? sourceOf(name) : (names[field] ?? head)
  return names[field] || fault ? shown : field.replace(head, shown)
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

/** `next` checks its second word itself: one may follow --fail. */
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
  const client = await findWorld(new ControlClient(transport, undefined), args)
  return { words: args.words, args, client }
}

export const runRemote = async (
  name: string,
  command: RemoteCommand,
  args: Arguments,
): Promise<void> => {
  const { words, run } = command
  assertWords(name, words, args.words)
  const url = findText(args, 'url') ?? `http://127.0.0.1:${DEFAULT_PORT}`
  const work = async () => {
    const [json, text] = await run(await enter(url, args))
    const isJson = args.flags.has('json') || text === undefined
    print(`${isJson ? JSON.stringify(json, null, 2) : text}\n`)
  }
  const explained = () => work().catch((error) => Promise.reject(explainAccess(error, args)))
  await withFlagNames(args, explained, (field) => nameOf(field, args, command))
}
