import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { ownId } from '../support/fixture-ids.js'
import { openPersistent, retry, stateOf } from '../support/persistent-sandbox.js'
import { payoutRequest } from '../support/requests.js'

const run = (command: string, ...args: string[]): boolean => {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A small disk of its own; undefined where a test may not mount one. */
const mountDisk = (): string | undefined => {
  const folder = mkdtempSync(join(tmpdir(), 'sandramp-disk-'))
  if (!run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'none', folder)) {
    rmdirSync(folder)
    return undefined
  }
  onTestFinished(() => {
    run('umount', folder)
    rmdirSync(folder)
  })
  return folder
}

const PAYOUT = '/payment/api/v1/payout'
const payout = (n: number) => ({ ...payoutRequest(), customer_payout_id: ownId(n), amount: '1.00' })

test('refuses changes while a real disk is full, and goes on when there is room again', async ({
  skip,
}) => {
  const folder = mountDisk()
  if (folder === undefined) return skip('no disk can be mounted here')
  const file = join(folder, 'state.json')
  const { sandbox, call, warnings, timers } = await openPersistent(file)
  await call('POST', PAYOUT, payout(1))
  const filler = join(folder, 'filler')
  let isFull = false
  for (let size = 512; size >= 1 && !isFull; size /= 2) {
    try {
      for (let i = 0; ; i++) writeFileSync(`${filler}${size}-${i}`, Buffer.alloc(size * 1_024))
    } catch {
      isFull = size === 1
    }
  }
  const answers: number[] = []
  for (let n = 2; answers.at(-1) !== 503 && n < 50; n++) {
    answers.push((await call('POST', PAYOUT, payout(n))).status)
  }
  expect(answers.at(-1)).toBe(503)
  const last = answers.length + 1
  expect(warnings[0]).toContain('ENOSPC')
  await retry({ sandbox, timers })
  expect((await call('GET', '/_sandbox/payouts')).body.items[0].customer_payout_id).toBe(
    ownId(last - 1),
  )
  expect((await call('POST', PAYOUT, payout(last))).status).toBe(503)
  run('sh', '-c', `rm ${filler}*`)
  await retry({ sandbox, timers })
  expect((await call('POST', PAYOUT, payout(last))).status).toBe(200)
  const state = stateOf(sandbox.main)
  await sandbox.close()
  const again = await openPersistent(file)
  expect(stateOf(again.sandbox.main)).toEqual(state)
  await again.sandbox.close()
})

test('is refused in a folder that cannot be written, with a sentence', async ({ skip }) => {
  const folder = mountDisk()
  if (folder === undefined) return skip('no disk can be mounted here')
  const data = join(folder, 'state.json')
  const first = await createSandbox({ data })
  await first.close()
  run('mount', '-o', 'remount,ro', folder)
  await expect(createSandbox({ data })).rejects.toThrow(
    /^data: .*state\.json cannot be locked: no local socket can be made beside it \(EROFS\)\. Expected /,
  )
})
