import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readStartOptions, startFlags } from '../../src/cli/start-flags.js'
import { createSandbox } from '../../src/index.js'
import { parseArguments } from '../../src/lib/arguments.js'

/** Starts a sandbox in this process with flags that a page shows; they may name files of `folder`. */
export const startSandbox = async (flags: readonly string[], folder: string) => {
  const toPath = (text: string) => (existsSync(join(folder, text)) ? join(folder, text) : text)
  const args = parseArguments(flags.map(toPath), startFlags, {})
  const { host, sandbox: options } = readStartOptions(args)
  const sandbox = await createSandbox(options)
  const { url } = await sandbox.listen({ port: 0, host })
  return { url, close: sandbox.close }
}
