import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root, type Step } from './markdown.js'

/** The address that the pages show. */
export const SHOWN_URL = 'http://127.0.0.1:4020'

/** What bash printed for each step, and whatever went to standard error. */
export interface Played {
  readonly outputs: readonly string[]
  readonly errors: string
}

/** A folder in which the commands of a page can run: its files, the examples, and `npx sandramp`. */
export const prepareFolder = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  cpSync(join(root, 'examples'), join(folder, 'examples'), { recursive: true })
  mkdirSync(join(folder, 'bin'))
  const npx = join(folder, 'bin', 'npx')
  writeFileSync(npx, `#!/bin/sh\nshift\nexec "${process.execPath}" "${root}dist/cli.js" "$@"\n`)
  chmodSync(npx, 0o755)
}

/** Types the steps into one bash, line by line, with the address of a sandbox in place of the shown one. */
export const play = async (
  steps: readonly Step[],
  folder: string,
  url = SHOWN_URL,
): Promise<Played> => {
  const { HOME, PATH } = process.env
  const bash = spawn('bash', ['--noprofile', '--norc'], {
    cwd: folder,
    env: {
      ...(HOME && { HOME }),
      PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:${PATH}`,
      LC_ALL: 'C.UTF-8',
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
  return { outputs: output.split(`${mark}\n`).slice(0, -1), errors }
}

const PROGRAMS = { curl: '--version', python3: '--version', java: '--version', go: 'version' }

/** The programs that the steps call and that this machine has not. */
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
