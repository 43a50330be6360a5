import { vi } from 'vitest'
import { main } from '../../src/cli/main.js'
import { makeFolder, type Ran } from './sandramp.js'

/**
 * Runs the command line in this process, which is quicker than a start of Node. Not for concurrent tests: it
 * replaces the working directory and the output of the process.
 */
export const runHere = async (
  args: readonly string[],
  cwd = makeFolder(),
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> => {
  const printed = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += text
      return true
    }),
  )
  const home = process.cwd()
  process.chdir(cwd)
  try {
    const code = await main(args, env)
    return { code: code ?? null, ...printed }
  } finally {
    process.chdir(home)
    for (const spy of spies) spy.mockRestore()
  }
}
