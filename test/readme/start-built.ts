import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { root } from './markdown.js'

/** A sandbox as its users start it: the built command line, in a process of its own. */
export interface Started {
  readonly url: string
  /** Stops it as Ctrl-C does; gives the exit code. */
  stop(): Promise<number>
}

/** Starts dist/cli.js on a free port and waits for its first line. */
export const startBuilt = async (flags: readonly string[], cwd: string): Promise<Started> => {
  const child = spawn(process.execPath, [`${root}dist/cli.js`, 'start', '--port', '0', ...flags], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH },
  })
  const ended = once(child, 'exit')
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk
      const ready = /^sandramp listening on (\S+)$/m.exec(output)?.[1]
      if (ready) resolve(ready)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) =>
      reject(new Error(`it ended with ${code}; is it built?\n${output}`)),
    )
  })
  const stop = async () => {
    child.kill('SIGINT')
    const [code] = await ended
    return code
  }
  return { url, stop }
}
