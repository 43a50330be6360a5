import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import type { Step } from './markdown.js'

/** The address that the pages show. */
const SHOWN_URL = 'http://127.0.0.1:4020'

/** What bash printed for each step, and whatever went to standard error. */
export interface Played {
  readonly outputs: readonly string[]
  readonly errors: string
}

/** Types the steps into one bash, line by line, with the address of a sandbox in place of the shown one. */
export const play = async (steps: readonly Step[], url: string): Promise<Played> => {
  const bash = spawn('bash', ['--noprofile', '--norc'], {
    env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, LC_ALL: 'C.UTF-8' },
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
