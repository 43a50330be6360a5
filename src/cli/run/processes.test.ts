import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { processesWith } from './processes.js'

const children: ChildProcess[] = []

/** A process that has said something is past becoming what it is. */
const start = async (script: string, env: NodeJS.ProcessEnv): Promise<ChildProcess> => {
  const child = spawn('/bin/sh', ['-c', `echo ready; ${script}`], { env, detached: true })
  children.push(child)
  await once(child.stdout, 'data')
  return child
}

afterEach(() => {
  for (const child of children.splice(0)) if (child.pid) process.kill(-child.pid, 'SIGKILL')
})

describe.runIf(process.platform === 'linux')(
  'who was started with a text in the environment',
  () => {
    test('is found, in whatever group', async () => {
      const MARK = randomUUID()
      const child = await start('sleep 600', { MARK })
      const other = await start('sleep 600', { MARK: randomUUID() })
      const { found } = processesWith(`MARK=${MARK}`)
      expect(found).toContain(child.pid)
      expect(found).not.toContain(other.pid)
      expect(processesWith('MARK=')).toMatchObject({ found: [] })
    })

    test('is not certain while somebody has no environment yet', async () => {
      await start('exec env -i sleep 600', {})
      await vi.waitUntil(() => processesWith('MARK=none').isUnsure, { timeout: 60_000 })
    })
  },
)
