import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Flag } from '../lib/arguments.js'
import { docsFolder } from '../lib/paths.js'
import type { RemoteCommand } from './operation-command.js'
import {
  commonFlags,
  findRemote,
  otherOperations,
  type RemoteName,
  remoteCommands,
} from './remote.js'
import { readingsFlags, runFlags } from './run/run-flags.js'
import { sweepFlags } from './run/sweep-flags.js'
import { helpFlag, startFlags } from './start-flags.js'

export interface Usage {
  /** `sandramp run [<scenario…>] [flags] -- <command…>` */
  readonly line: string
  /** For the list of commands. */
  readonly brief: string
  readonly about: string
  /** Paragraphs before and after the flags. */
  readonly intro?: readonly string[]
  readonly flags: Readonly<Record<string, Flag>>
  /** The flags of the command alone, which come first. */
  readonly own?: readonly string[]
  readonly more?: readonly string[]
  /** In docs/reference. */
  readonly page: string
}

const toUsage = (
  name: string,
  { words, brief, about, example, flags = {} }: RemoteCommand,
): Usage => ({
  line: `sandramp ${name} ${words} [flags]`.replace('  ', ' '),
  brief,
  about,
  ...(example && { intro: [`Example:\n  sandramp ${example}`] }),
  own: Object.keys(flags),
  flags: { ...flags, ...commonFlags },
  page: 'cli.md',
})

const inLines = (names: readonly string[]): string =>
  names
    .join(', ')
    .replace(/(.{1,90})(, |$)/g, '  $1$2\n')
    .trimEnd()

const remoteUsages = Object.entries<RemoteCommand>(remoteCommands).map(
  ([name, command]): [string, Usage] => [name, toUsage(name, command)],
)

const caFlag: Flag = { value: '<pem>', help: 'the authority of its certificate' }
const harFlag: Flag = { value: '<file>', help: 'the recording, as .har' }

const recordFlags: Readonly<Record<string, Flag>> = {
  upstream: { value: '<url>', help: 'the service' },
  port: { value: '<number>', help: 'port to listen on; 0 takes a free one (4030)' },
  ca: caFlag,
  'body-limit': { value: '<size>', help: 'leave out longer bodies (1MiB)' },
  'redact-names': { help: 'redact names, addresses, documents and account numbers, too' },
  out: harFlag,
  help: helpFlag,
}

const probeFlags: Readonly<Record<string, Flag>> = {
  url: { value: '<url>', help: 'the service' },
  facts: { value: '<file>', help: 'users, accounts, keys and recipients of the service' },
  host: { value: '<name>', help: 'the name of a host that is not this machine, once more' },
  ca: caFlag,
  expect: { value: '<file>', help: 'leave out what these answers settle' },
  'allow-writes': { help: 'create consents, users, wallets and offramps, too' },
  'allow-payouts': { help: 'pay, too, up to payouts.max_total of the facts' },
  plan: { help: 'print the requests, and send none' },
  resume: { value: '<file>', help: 'continue this recording of a probe' },
  out: harFlag,
  help: helpFlag,
}

export const usages = {
  start: {
    line: 'sandramp [start] [flags]',
    brief: 'Start the sandbox; sandramp alone does it, too',
    about: 'Starts the sandbox. sandramp without a command does it, too.',
    flags: startFlags,
    page: 'cli.md',
  },
  run: {
    line: 'sandramp run [<scenario…>] [flags] -- <command…>',
    brief: 'Run a test command against its own sandbox',
    about: [
      'Starts a sandbox with the scenarios, runs the command against it, fires all pending timers,',
      'and verifies what the scenarios expect. Without a scenario, the ledger of each world must be clean.',
    ].join('\n'),
    flags: runFlags,
    page: 'cli-run.md',
    more: [
      [
        'The command finds SANDRAMP_URL, SANDRAMP_API_KEY, SANDRAMP_CLOCK_URL and SANDRAMP_SEED in its',
        'environment.',
      ].join('\n'),
      [
        'Exit codes: 0 the command and all expectations passed; 1 the command failed or took too long, nothing',
        'called the service, no rule of a named scenario fired, timers never came to rest, or a report could',
        'not be written; 2 the arguments, a scenario or the command is invalid; 3 an expectation was missed;',
        '130, 143, 129 after SIGINT, SIGTERM, SIGHUP.',
      ].join('\n'),
    ],
  },
  readings: {
    line: 'sandramp readings [<scenario…>] [flags] -- <command…>',
    brief: 'Run it once per reading that it relies on',
    about: [
      'Runs the command against its own sandbox, then once more for each other reading of the assumptions',
      'that the first run relied on, and prints which readings it passes under.',
    ].join('\n'),
    flags: readingsFlags,
    page: 'open-questions.md',
    more: [
      [
        'The command finds SANDRAMP_URL, SANDRAMP_API_KEY, SANDRAMP_CLOCK_URL and SANDRAMP_SEED in its',
        'environment; SANDRAMP_READING holds the reading of this run. Several commands run at once: if they',
        'disturb each other, use --jobs 1.',
      ].join('\n'),
      [
        'Exit codes: 0 it passes under every reading; 1 it does not, the first run failed, called nothing or fired',
        'no rule of a named scenario, or the report could not be written; 2 the arguments, a scenario or the',
        'command is invalid; 130, 143, 129 after SIGINT, SIGTERM, SIGHUP.',
      ].join('\n'),
    ],
  },
  sweep: {
    line: 'sandramp sweep [flags] -- <command…>',
    brief: 'Find where it pays twice or loses a payment',
    about: [
      'Runs the command as it is, then once per call and fault, each time in its own sandbox, and judges by the',
      'books where it pays twice, loses a payment, or says what is not so.',
    ].join('\n'),
    flags: sweepFlags,
    page: '../recipes/sweep.md',
    more: [
      'Exit codes: 0 nothing found; 1 findings; 2 invalid arguments; 3 the runs prove nothing.',
    ],
  },
  calibrate: {
    line: 'sandramp calibrate <har…> [flags]',
    brief: 'Find what recorded traffic shows of the open questions',
    about: [
      'Reads HAR files of the live service, and prints which readings of the open questions its answers confirm.',
    ].join('\n'),
    flags: {
      against: { value: '<url>', help: 'the service (the one with most requests)' },
      facts: {
        value: '<file>',
        help: 'users, accounts and deposits that the traffic does not show',
      },
      out: { value: '<file>', help: 'write or extend the answers for --readings, as .yaml' },
      report: { value: '<file>', help: 'write verdicts with their requests, as .md or .json' },
      expect: { value: '<file>', help: 'compare with these answers' },
      help: helpFlag,
    } as Record<string, Flag>,
    own: ['against', 'facts', 'out', 'report', 'expect'],
    page: '../recipes/calibrate.md',
    more: [
      'Exit codes: 0 done; 1 no request of the service; 2 invalid arguments or files; 3 other answers than expected.',
    ],
  },
  record: {
    line: 'sandramp record --upstream <url> --out <har> [flags]',
    brief: 'Record the requests to a service',
    about:
      'Forwards requests to a service, and writes them as a HAR file for calibrate. Keys are redacted.',
    flags: recordFlags,
    own: Object.keys(recordFlags),
    page: '../recipes/calibrate.md',
  },
  probe: {
    line: 'sandramp probe --url <url> --facts <file> --out <har> [flags]',
    brief: 'Ask a service on purpose, and record it',
    about:
      'Sends requests that show the open questions to a test environment, two a second at most, and records them.',
    flags: probeFlags,
    own: Object.keys(probeFlags),
    page: '../recipes/calibrate.md',
    more: ['Exit codes: 0 done; 1 stopped before the end; 2 invalid arguments or files.'],
  },
  scenarios: {
    line: 'sandramp scenarios [<file…>]\n       sandramp scenarios show <name…>',
    brief: 'List the bundled scenarios, or check files',
    about: [
      'Lists the bundled scenarios, or checks files. Exit code 2 means that a file is invalid.',
      'With show, prints scenarios by name, or by a place of a report such as happy-path.yaml:12.',
    ].join('\n'),
    flags: { help: helpFlag },
    page: 'scenarios.md',
  },
  tenant: {
    line: 'sandramp tenant add|list|remove [<name>] --data <url> [flags]',
    brief: 'Manage the tenants of a database',
    about:
      'Adds a tenant and prints its secrets, once; lists tenants; or removes one with its worlds. Replicas with\n' +
      '--tenants follow within 5 s.',
    flags: {
      data: { ...startFlags.data, value: '<url>', help: 'the Postgres database' },
      worlds: { value: '<number>', help: 'for add: the number of its worlds (no limit)' },
      rate: {
        value: '<n>/<duration>',
        help: 'for add: return 429 to it beyond this limit of a replica, such as 100/1s (no limit)',
      },
      help: helpFlag,
    },
    page: '../hosting/tenants.md',
  },
  mcp: {
    line: 'sandramp mcp [flags]',
    brief: 'Offer a sandbox to an agent, as an MCP server',
    about: [
      'Offers a sandbox to an agent, as an MCP server on standard input and output: the one at --url, else the one',
      'at http://127.0.0.1:4020, else one of its own that ends with the agent.',
    ].join('\n'),
    flags: {
      url: commonFlags.url,
      'control-token': commonFlags['control-token'],
      help: helpFlag,
    } as Record<string, Flag>,
    page: '../recipes/agents.md',
  },
  init: {
    line: 'sandramp init [--ci]',
    brief: 'Write a first test and scenario, with --ci a workflow',
    about: [
      'Writes a first test for the runner in package.json (Vitest, Jest, Playwright, else node:test) and a scenario.',
      'Existing files stay.',
    ].join('\n'),
    flags: {
      ci: { help: 'a workflow for GitHub Actions, too, at the root of the git repository' },
      help: helpFlag,
    },
    own: ['ci'],
    page: 'cli-run.md',
  },
  ...(Object.fromEntries(remoteUsages) as Record<RemoteName, Usage>),
} as const satisfies Record<string, Usage>

export type CommandName = keyof typeof usages

/** The usage of a command, or of an operation of the control API. */
export const findUsage = (name: string): Usage | undefined => {
  if (Object.hasOwn(usages, name)) return usages[name as CommandName]
  const command = findRemote(name)
  return command && toUsage(name, command)
}

const briefLine = (usage: Usage): string => {
  const [left = ''] = usage.line.replace(/ (--data .*|\[flags\])/, '').split('\n')
  return `  ${left.slice('sandramp '.length).padEnd(BRIEF_COLUMN)}${usage.brief}`
}

const BRIEF_COLUMN = 45

/** Each command with its line. */
export const overviewText = (): string => {
  const lines = Object.values<Usage>(usages).map(briefLine)
  const remote = lines.splice(-remoteUsages.length)
  const paragraphs = [
    'sandramp: a local sandbox of the Payments, custody wallet and onboarding service',
    'Usage: sandramp [command] [flags]. Each command has its own --help: sandramp start --help lists the flags of a server.',
    ['Commands:', ...lines].join('\n'),
    ['On a running sandbox:', ...remote].join('\n'),
    `Further actions on it, by the names of the control API:\n${inLines(otherOperations.map(({ id }) => id))}`,
    [
      'Examples:',
      '  sandramp --clock manual --scenario bank-rejects',
      '  sandramp --data state.json --port 5000',
      '  sandramp run committed-then-cut -- npm test',
    ].join('\n'),
    linkPage('cli.md'),
  ]
  return paragraphs.join('\n\n')
}

/** A partial copy of the package contains no documentation. */
export const linkPage = (page: string): string => {
  const file = join(docsFolder, 'reference', page)
  return existsSync(file) ? `More: ${pathToFileURL(file)}\n` : ''
}

/** The flags of each group in --help. All others come last. */
const GROUPS: Readonly<Record<string, string>> = {
  Run: 'each suite only fault jobs all accept junit report timeout allow-idle',
  Server: 'port host data api-key cors url',
  World: 'world fixtures scenario watch clock now seed',
  Contract: 'reading readings strict',
  Log: 'log request-log',
  Output: 'json',
  Hosting:
    'control-token tls cert key allow-host trust-proxy rate-limit rate drain tenants worlds world-size tenant-size',
}

const OWN = 'This command'

/** A command for a running sandbox has a token beside its URL. */
const groupOf = (flag: string, own: readonly string[], flags: Usage['flags']): string =>
  own.includes(flag)
    ? OWN
    : flag === 'control-token' && flags.url
      ? 'Server'
      : (Object.keys(GROUPS).find((group) => GROUPS[group]?.split(' ').includes(flag)) ?? 'Other')

const LEGEND = 'Defaults are in parentheses, environment variables in brackets.'

export const helpText = ({
  line,
  about,
  intro = [],
  own = [],
  flags,
  more = [],
  page,
}: Usage): string => {
  const rows = Object.entries(flags).map(([name, { short, value, help, variable }]) => ({
    group: groupOf(name, own, flags),
    left: `  --${name}${short ? `, -${short}` : ''}${value ? ` ${value}` : ''}`,
    right: `${help}${variable ? ` [${variable}]` : ''}`,
  }))
  const width = Math.max(...rows.map(({ left }) => left.length)) + 2
  const groups = [OWN, ...Object.keys(GROUPS), 'Other'].map((group) => ({
    group,
    lines: rows
      .filter((it) => it.group === group)
      .map(({ left, right }) => `${left.padEnd(width)}${right}`),
  }))
  const paragraphs = [
    about,
    `Usage: ${line}`,
    ...intro,
    ...groups
      .filter(({ lines }) => lines.length > 0)
      .map(({ group, lines }) => [`${group}:`, ...lines].join('\n')),
    ...more,
    ...(rows.some(({ right }) => right.includes('[')) ? [LEGEND] : []),
    linkPage(page),
  ]
  return paragraphs.join('\n\n')
}
