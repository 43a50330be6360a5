import { describe, expect, test } from 'vitest'
import { createSandbox } from './index.js'

describe('a sandbox that is closed', () => {
  test('opens no port that was asked for just before', async () => {
    const sandbox = await createSandbox({ clock: 'manual' })
    const listening = sandbox.listen()
    await sandbox.close()
    await expect(listening).rejects.toThrow('the sandbox is closed')
  })
})

describe('a machine whose clock is set back', () => {
  test('holds up no world whose time follows it', async () => {
    let machine_ms = Date.parse('2026-06-15T09:00:00Z')
    const sandbox = await createSandbox({ machineClock: () => machine_ms })
    machine_ms -= 3_600_000
    const before = Date.parse(await sandbox.defaultWorld.now())
    machine_ms += 10_000
    expect(Date.parse(await sandbox.defaultWorld.now()) - before).toBe(10_000)
    await sandbox.close()
  })
})
