import { describe, expect, test } from 'vitest'
import { deriveWorldId, hashKey } from '../../src/lib/secrets.js'
import { ConsoleVisit } from '../support/console-visit.js'
import { addresses, users } from '../support/fixture-ids.js'
import { expected } from '../support/invalid.js'
import { openOwnSandbox } from '../support/open-sandbox.js'

const PAGE = { back: '/snapshots' }

/** Snapshots outlive a reset, so each test has a sandbox that no other one has. */
const open = async () => {
  const { sandbox } = await openOwnSandbox()
  const visitor = new ConsoleVisit(sandbox)
  const take = (name: string, more = {}) =>
    visitor.submit('/console/snapshots', { name, ...more }, PAGE)
  return { sandbox, visitor, take }
}

describe('snapshots', () => {
  test('without snapshots the page says how to take one', async () => {
    const { visitor } = await open()
    const { text } = await visitor.look('/snapshots')
    expect(text).toContain('This world has no snapshot')
    expect(text).toContain(`/_sandbox/snapshots -H 'content-type: application/json' -d '{"name"`)
  })

  test('a refusal after the confirmation leads to the list', async () => {
    const { sandbox, visitor, take } = await open()
    await take('first')
    await sandbox.fetch('/_sandbox/snapshots/first', { method: 'DELETE' })
    const restore = (url: string) =>
      sandbox.fetch('/console/snapshots/first/restore', {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'hx-request': 'true',
          'hx-current-url': url,
        },
        body: 'back=%2Fsnapshots',
      })
    const elsewhere = await restore('http://localhost/snapshots/first/restore')
    expect([elsewhere.status, elsewhere.headers.get('hx-redirect')]).toEqual([200, '/snapshots'])
    const here = await restore('http://localhost/snapshots')
    expect([here.status, here.headers.get('location')]).toEqual([303, '/snapshots'])
    const nowhere = await restore('http://[')
    expect([nowhere.status, nowhere.headers.get('hx-redirect')]).toEqual([200, '/snapshots'])
    expect((await visitor.look('/snapshots')).text).toContain('This world has no snapshot')
  })

  test('one is taken, shown, and restored after asking', async () => {
    const { sandbox, visitor, take } = await open()
    expect((await take('first')).text).toContain('Snapshot first taken.')
    sandbox.advance('1h')
    sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '10' })
    const asked = await visitor.look('/snapshots/first/restore')
    expect(asked.text).toContain('Restore first?')
    expect(asked.text).toMatch(/Time 2026-06-15 10:00:00 2026-06-15 09:00:00/)
    expect(asked.text).toMatch(/Transfers \d+ \d+/)
    expect(sandbox.now).toBe('2026-06-15T10:00:00.000Z')
    const done = await visitor.submit('/console/snapshots/first/restore', {})
    expect([done.path, sandbox.now]).toEqual(['/snapshots', '2026-06-15T09:00:00.000Z'])
    expect(done.text).toContain('Restored first. The world time is 2026-06-15 09:00:00.')
    expect(sandbox.entries().at(-1)?.cause).toMatchObject({ operation: 'restoreSnapshot' })
  })

  test('a name that is taken is replaced only when asked for', async () => {
    const { sandbox, visitor, take } = await open()
    await take('first')
    sandbox.advance('1h')
    const refused = await take('first')
    expect(refused.text).toContain('the snapshot first exists')
    expect(refused.text).not.toContain('2026-06-15 10:00:00 Entry')
    await take('first', { replace: 'true' })
    expect((await visitor.look('/snapshots/first/delete')).text).toMatch(
      /Time 2026-06-15 10:00:00 2026-06-15 10:00:00/,
    )
  })

  test.each(['Two Words', 'x'.repeat(65)])('%j is no name', async (name) => {
    const { take } = await open()
    expect((await take(name)).text).toContain(expected('a name of a-z, 0-9 and -'))
  })

  test('a fork is a world of its own, whose key is shown once', async () => {
    const { sandbox, visitor, take } = await open()
    sandbox.advance('2h')
    await take('first')
    const forked = await visitor.submit('/console/snapshots/first/fork', {}, PAGE)
    const { status, path, html, text } = forked
    const key = /data-copy="(SandboxWorld[A-Za-z0-9]{20})"/.exec(html)?.[1] ?? ''
    expect([status, path, key.length]).toEqual([200, '/snapshots', 32])
    expect(text).toContain('The new world has the state of first')
    expect((await visitor.look('/snapshots')).html).not.toContain(key)
    const id = deriveWorldId(hashKey(key).hash)
    expect((await visitor.look(`/?world=${id}`)).text).toContain('2026-06-15 11:00:00')
  })

  test('one is deleted after asking', async () => {
    const { visitor, take } = await open()
    await take('first')
    expect((await visitor.look('/snapshots/first/delete')).text).toContain('is deleted permanently')
    const { text } = await visitor.submit('/console/snapshots/first/delete', {})
    expect(text).toContain('first is deleted.')
    expect(text).toContain('This world has no snapshot')
  })

  test.each(['restore', 'delete'])('%s of one that is not there is refused', async (verb) => {
    const { visitor } = await open()
    expect((await visitor.get(`/snapshots/gone/${verb}`)).status).toBe(404)
    const { text } = await visitor.submit(`/console/snapshots/gone/${verb}`, {}, PAGE)
    expect(text).toContain('no snapshot has the name gone. This world has none.')
  })
})

describe('undo', () => {
  test('lists the steps that it would undo, then undoes them', async () => {
    const { sandbox, visitor } = await open()
    const credit = { amount: '7000', currency: 'JPY' }
    await visitor.submit(`/console/users/${users.ada}/credit`, credit)
    const asked = await visitor.look('/undo')
    expect(asked.text).toContain('Undo this?')
    expect(asked.text).toMatch(/Change by hand: control call creditUser/)
    expect(asked.text).toMatch(/credited with 7000 JPY by hand/)
    const act = /name="act" value="(\d+)"/.exec(asked.html)?.[1] ?? ''
    const { path, text } = await visitor.submit('/console/undo', { act })
    expect(path).toBe('/snapshots')
    expect(text).toContain('Undid creditUser. The world time is 2026-06-15 09:00:00.')
    expect(sandbox.entries().at(-1)?.cause).toMatchObject({ operation: 'undo' })
    expect((await visitor.look(`/users/${users.ada}`)).text).not.toContain('JPY')
  })

  test('counts what followed, and shows its beginning', async () => {
    const { sandbox, visitor } = await open()
    for (let i = 0; i < 6; i++) {
      sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '10' })
    }
    await visitor.submit('/console/clock/advance', { until: 'idle' })
    const { text } = await visitor.look('/undo')
    expect(text).toContain('control call advanceClock')
    expect(text).toContain('Back to 2026-06-15 09:00:00')
    expect(text).toContain('Entries 25')
    expect(text).toContain('and 5 more')
  })

  test('counts all of them, also those that the journal keeps no more', async () => {
    const { sandbox, visitor } = await open()
    for (let i = 0; i < 2_600; i++) {
      sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '10' })
    }
    sandbox.advance('30s')
    const { text } = await visitor.look('/undo')
    expect(text).toContain('Back to 2026-06-15 09:00:00')
    expect(text).toContain('Entries 10,401')
    expect(text).toContain('The journal no longer holds the first 401 entries.')
    expect(text).toContain('and 9,980 more')
    await visitor.submit('/console/undo', {})
    expect(sandbox.now).toBe('2026-06-15T09:00:00.000Z')
  })

  test('takes nothing back that was not shown', async () => {
    const { sandbox, visitor } = await open()
    sandbox.advance('1h')
    const act = /name="act" value="(\d+)"/.exec((await visitor.look('/undo')).html)?.[1] ?? ''
    sandbox.advance('1h')
    const { text } = await visitor.submit('/console/undo', { act }, PAGE)
    expect(text).toContain('another change happened in the meantime')
    expect(sandbox.now).toBe('2026-06-15T11:00:00.000Z')
  })

  test('an undone step is not listed any more', async () => {
    const { sandbox, visitor } = await open()
    sandbox.advance('1h')
    sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '10' })
    await visitor.submit('/console/undo', {})
    const { text } = await visitor.look('/undo')
    expect(text).toContain('by a library call')
    expect(text).toContain('Entries 1 ')
    expect(text).not.toContain('received')
  })
})

describe('reset', () => {
  test('asks, goes back to the fixtures, and can be undone', async () => {
    const { sandbox, visitor } = await open()
    sandbox.advance('1d')
    expect((await visitor.look('/reset')).text).toContain('Reset this world?')
    const { path, text } = await visitor.submit('/console/reset', {})
    expect([path, sandbox.now]).toEqual(['/', '2026-06-15T09:00:00.000Z'])
    expect(text).toContain('The world is reset')
    expect((await visitor.look('/undo')).text).toMatch(/Change by hand: control call reset/)
    await visitor.submit('/console/undo', {})
    expect(sandbox.now).toBe('2026-06-16T09:00:00.000Z')
  })
})

test('with nothing done, an undo is refused', async () => {
  const { visitor } = await open()
  expect((await visitor.look('/undo')).text).toContain('Nothing to undo')
  const { text } = await visitor.submit('/console/undo', {}, PAGE)
  expect(text).toContain('Nothing to undo')
})
