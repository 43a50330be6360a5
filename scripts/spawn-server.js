import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Starts a server program and waits for the line with its URL. */
export const spawnServer = async (command, args, options = {}) => {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  const ended = once(child, 'exit')
  let output = ''
  const url = await new Promise((resolve, reject) => {
    const read = (chunk) => {
      output += chunk
      const ready = /^sandramp listening on (\S+)$/m.exec(output)?.[1]
      if (ready) resolve(ready)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`it ended with ${code}\n${output}`)))
  })
  return {
    url,
    /** Output up to the ready line. */
    output,
    /** Sends a signal and returns the exit code. */
    stop: async (signal) => {
      child.kill(signal)
      const [code] = await ended
      return code
    },
  }
}
