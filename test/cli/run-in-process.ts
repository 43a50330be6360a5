import { vi } from 'vitest'
import { main } from '../../src/cli/main.js'
import { makeFolder, type Ran } from './sandramp.js'

/**
 * The command line within this process, for what is refused or told at once: a start costs more than that.
 * One at a time, since the folder and what is printed are those of the process.
 */
export const runHere = async (
  args: readonly string[],
  cwd = makeFolder(),
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> => {
  const told = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      told[name] += text
      return true
    }),
  )
  const home = process.cwd()
  process.chdir(cwd)
  try {
    const code = await main(args, env)
    return { code: code ?? null, ...told }
  } finally {
    process.chdir(home)
    for (const spy of spies) spy.mockRestore()
  }
}
