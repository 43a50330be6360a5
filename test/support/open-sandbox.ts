import { onTestFinished } from 'vitest'
import { createSandbox, type SandboxOptions } from '../../src/index.js'
import { Client } from './client.js'

/** The two ways to a sandbox: both must answer alike. */
export const transports = ['fetch', 'port'] as const
export type Transport = (typeof transports)[number]

export type OpenOptions = SandboxOptions & { readonly over?: Transport }

/**
 * A sandbox of a test's own: its clock stands still, its seed is fixed, it logs nothing. Closes when the
 * test is over.
 */
export const openSandbox = async ({
  over = 'fetch',
  ...options
}: OpenOptions = {}): Promise<Client> => {
  const sandbox = await createSandbox({ clock: 'manual', seed: 'tests', ...options })
  onTestFinished(() => sandbox.close())
  if (over === 'fetch') return new Client(sandbox, (path, init) => sandbox.fetch(path, init))
  const { url } = await sandbox.listen({ port: 0 })
  return new Client(sandbox, (path, init) => fetch(new URL(path, url), init))
}
