import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { runInNewContext } from 'node:vm'
import { root, type Step } from './markdown.js'

/** The address that the pages show. */
export const SHOWN_URL = 'http://127.0.0.1:4020'

/** The output of each step, and all of standard error. */
export interface Played {
  readonly outputs: readonly string[]
  readonly errors: string
}

/** Writes what the commands of a page need: its files, the examples, `npx sandramp`, and a quick `node -p`. */
export const prepareFolder = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  cpSync(join(root, 'examples'), join(folder, 'examples'), { recursive: true })
  mkdirSync(join(folder, 'bin'))
  const { execPath: node } = process
  // Of a program that runs once, most of the time goes into making it fast.
  writeProgram(
    folder,
    'java',
    `PATH="\${PATH#*:}" exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC "$@"`,
  )
  writeProgram(folder, 'npx', `shift\nexec "${node}" "${root}dist/cli.js" "$@"`)
  writeProgram(
    folder,
    'node',
    `case "$1 $2" in '-p '*readFileSync\\(0*) ;; *) exec "${node}" "$@" ;; esac
exec curl -sS --fail-with-body "$EVALUATOR" --data-urlencode "code=$2" --data-urlencode stdin@-`,
  )
}

const writeProgram = (folder: string, name: string, script: string): void => {
  writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}

/** Evaluates `node -p` of standard input in this process: the pages call it often, and a start of Node is slow. */
const startEvaluator = async () => {
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request))
    const [code = '', stdin = ''] = [form.get('code'), form.get('stdin')].map((it) => it ?? '')
    const fs = { readFileSync: () => stdin }
    try {
      const value: unknown = runInNewContext(code, { require: () => fs, fs })
      response.end(`${typeof value === 'string' ? value : inspect(value)}\n`)
    } catch (error) {
      response.writeHead(500).end(inspect(error))
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Types the steps into one bash, line by line, and replaces the shown URL by that of the sandbox. */
export const play = async (
  steps: readonly Step[],
  folder: string,
  url = SHOWN_URL,
): Promise<Played> => {
  const { HOME, PATH } = process.env
  const evaluator = await startEvaluator()
  const bash = spawn('bash', ['--noprofile', '--norc'], {
    cwd: folder,
    env: {
      ...(HOME && { HOME }),
      PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:${PATH}`,
      LC_ALL: 'C.UTF-8',
      EVALUATOR: evaluator.url,
    },
  })
  const mark = '== end of step =='
  for (const { commands } of steps) {
    bash.stdin.write(`${commands.replaceAll(SHOWN_URL, url)}\necho '${mark}'\n`)
  }
  bash.stdin.end()
  let output = ''
  let errors = ''
  bash.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  bash.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  await once(bash, 'close')
  evaluator.server.close()
  return { outputs: output.split(`${mark}\n`).slice(0, -1), errors }
}

const PROGRAMS = { curl: '--version', python3: '--version', java: '--version', go: 'version' }

/** Programs that the steps call and that are not installed. */
export const missingPrograms = (steps: readonly Step[]): string[] => {
  const commands = steps.map((it) => it.commands).join('\n')
  const called = Object.entries(PROGRAMS).filter(([it]) => new RegExp(`\\b${it} `).test(commands))
  const wanted: [string, string][] = [['bash', '--version'], ...called]
  return wanted.filter(([it, flag]) => !isInstalled(it, flag)).map(([it]) => it)
}

const installed = new Map<string, boolean>()

const isInstalled = (program: string, flag: string): boolean => {
  const known = installed.get(program) ?? spawnSync(program, [flag]).status === 0
  installed.set(program, known)
  return known
}
