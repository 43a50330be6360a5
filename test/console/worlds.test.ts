import { describe, expect, test } from 'vitest'
import { deriveWorldId, hashKey } from '../../src/lib/secrets.js'
import { ConsoleVisit, openConsole, type Shown } from '../support/console-visit.js'
import { addresses, keys, payoutId, transferId, users } from '../support/fixture-ids.js'
import { openOwnSandbox } from '../support/open-sandbox.js'

const KEY = 'SandboxWorldConsoleTests00000001'
const ID = deriveWorldId(hashKey(KEY).hash)
const IN = `world=${ID}`

/** A world by key beside the default one, with something in it. */
const openWorld = async () => {
  const api = await openOwnSandbox()
  const visitor = new ConsoleVisit(api.sandbox)
  const call = (path: string, body?: object) =>
    api.sandbox.fetch(path, {
      method: body ? 'POST' : 'GET',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  await call('/onboarding/api/v1/users/all')
  return { api, sandbox: api.sandbox, visitor, call }
}

/** Addresses on a page that stay in the console. */
const addressesOn = ({ html }: Shown): string[] =>
  [...html.matchAll(/\s(?:href|action|data-path|data-stream)="(\/[^"]*)"/g)]
    .map(([, address = '']) => address.replaceAll('&amp;', '&'))
    .filter((it) => !/^\/(?:reference|console\/\w+\.(?:js|css))/.test(it))

const PAGES = [
  '/',
  '/transfers',
  '/transfers?status=PENDING',
  `/transfers/${transferId(1)}`,
  '/users',
  `/users/${users.ada}`,
  '/wallets',
  '/offramps',
  '/payouts',
  `/payouts/${payoutId(1)}`,
  '/deposits?matched=all',
  '/requests',
  '/scenarios',
  '/scenarios/happy-path',
  '/api-keys',
  '/ledger',
]

test.each(PAGES)('%s stays in its world with every link and form', async (path) => {
  const { visitor } = await openWorld()
  const shown = await visitor.look(path + (path.includes('?') ? '&' : '?') + IN)
  expect(shown.text).toContain('world …0001')
  const others = addressesOn(shown).filter((it) => !it.includes(IN))
  const picker = ['/', `/${path.split(/[/?]/)[1]}`]
  // A form that is sent by GET has its world in a field; the picker leads elsewhere on purpose.
  const leaving = others.filter((it) => !picker.includes(it) && it !== '/find')
  expect(leaving.filter((it) => !shown.html.includes(`action="${it}" method="get"`))).toEqual([])
  const gets = shown.html.match(/method="get"/g)?.length
  expect(shown.html.split(`type="hidden" name="world" value="${ID}"`)).toHaveLength((gets ?? 0) + 1)
})

describe('a page in a world', () => {
  test('shows that world, and acts on it alone', async () => {
    const { sandbox, visitor } = await openWorld()
    const moved = await visitor.submit(
      `/console/clock/advance?${IN}`,
      { by: '1h' },
      { back: `/?${IN}` },
    )
    expect(moved.path).toBe(`/?${IN}`)
    expect(moved.text).toContain('Advanced to 10:00:00')
    expect(sandbox.now).toBe('2026-06-15T09:00:00.000Z')
    expect((await visitor.look('/')).text).toContain('2026-06-15 09:00:00')
    expect((await visitor.look(`/requests?${IN}`)).text).toContain('listUsers')
    expect((await visitor.look('/requests')).text).toContain('No request yet')
  })

  test('leads on in it: to a deposit’s transfer, to what is found, to the log as HAR', async () => {
    const { sandbox, visitor } = await openWorld()
    const set = await visitor.submit(`/console/deposits?${IN}`, {
      address: addresses.adaEur,
      amount: '10',
    })
    expect([set.status, set.path]).toEqual([200, expect.stringMatching(`^/transfers/.*${IN}$`)])
    const found = await visitor.get(`/find?q=${transferId(1)}&${IN}`)
    expect(found.path).toBe(`/transfers/${transferId(1)}?${IN}`)
    const har = await (await sandbox.fetch(`/requests.har?${IN}`)).json()
    expect(har.log.entries).toHaveLength(1)
  })

  test('names the place of its key in commands, since nobody knows it', async () => {
    const { visitor } = await openWorld()
    const { text } = await visitor.look(`/transfers/${transferId(1)}?${IN}`)
    expect(text).toContain('x-api-key: <the key of this world, …0001>')
    const snapshots = await visitor.look(`/snapshots?${IN}`)
    expect(snapshots.text).toMatch(/snapshots'? -H 'x-api-key: <the key of this world, …0001>'/)
  })

  test('sends a request again into the world of the key that is given', async () => {
    const { visitor, sandbox } = await openWorld()
    const id = /\/requests\/([0-9a-f-]{36})/.exec((await visitor.look(`/requests?${IN}`)).html)?.[1]
    const again = await visitor.submit(`/console/requests/${id}/send?${IN}`, { key: KEY })
    expect([again.status, again.path]).toEqual([200, expect.stringContaining(IN)])
    const other = await visitor.submit(`/console/requests/${id}/send?${IN}`, { key: keys.full })
    expect(other.path).not.toContain('world=')
    const elsewhere = 'Its key belongs to this world.'
    expect(other.text).toContain(elsewhere)
    const without = await visitor.submit(`/console/requests/${id}/send?${IN}`, {})
    expect(without.text).toContain(elsewhere)
    const form = await visitor.look(`/requests/${id}?${IN}`)
    expect(form.html).toContain('placeholder="&lt;the key of this world, …0001&gt;"')
    expect(sandbox.requests()).toHaveLength(2)
  })
})

describe('the picker', () => {
  test('lists worlds, the one used last first, and leads to the same list there', async () => {
    const { visitor, call } = await openWorld()
    await call('/onboarding/api/v1/users/all')
    const { html } = await visitor.look(`/transfers/${transferId(1)}`)
    const picker = html.slice(html.indexOf('class="choices"'), html.indexOf('</details>'))
    expect(picker).toContain(`href="/transfers?${IN}"`)
    expect(picker).toMatch(/href="\/transfers" aria-current="true"/)
  })
})

describe('a world that is not there', () => {
  test.each([`/?world=${'0'.repeat(32)}`, '/transfers?world=gone', '/console/nowhere?world=x'])(
    '%s is a page that says so, with ways back',
    async (path) => {
      const { visitor } = await openConsole()
      const { status, html, text } = await visitor.get(path)
      expect(status).toBe(404)
      expect(text).toContain('World not found')
      expect(html).toContain('<a href="/">Default world</a>')
      expect(html).toContain('data-stream="/console/live"')
    },
  )

  test('is not looked for by a key, which no page repeats', async () => {
    const { visitor } = await openConsole()
    const { status, html, text } = await visitor.get(`/?world=${KEY}`)
    expect([status, html.includes(KEY)]).toEqual([404, false])
    expect(text).toContain('The address contains a key')
  })

  test('is nothing that an action could change', async () => {
    const { sandbox, visitor } = await openConsole()
    const { status } = await visitor.submit('/console/clock/advance?world=gone', { by: '1h' })
    expect([status, sandbox.now]).toEqual([404, '2026-06-15T09:00:00.000Z'])
  })

  test('two of them are refused', async () => {
    const { visitor } = await openConsole()
    const { status, text } = await visitor.get('/?world=default&world=default')
    expect(status).toBe(400)
    expect(text).toContain('world was sent 2 times. Expected once')
  })

  test('notifies an open page of the world', async () => {
    const { sandbox } = await openConsole()
    const answer = await sandbox.fetch('/console/live?world=gone')
    expect([answer.status, await answer.text()]).toEqual([200, 'event: gone\ndata: {}\n\n'])
  })

  test('default may be named', async () => {
    const { visitor } = await openConsole()
    expect((await visitor.look('/?world=default')).text).toContain('default world')
  })
})

describe('/worlds', () => {
  test('creates a world and shows its key once', async () => {
    const { visitor } = await openWorld()
    const made = await visitor.submit(`/console/worlds?${IN}`, {}, { back: '/transfers' })
    const { status, path, html } = made
    const key = /data-copy="(SandboxWorld[A-Za-z0-9]{20})"/.exec(html)?.[1] ?? ''
    expect([status, path, key.length]).toEqual([200, `/worlds?${IN}`, 32])
    const id = deriveWorldId(hashKey(key).hash)
    expect(html).toContain(`href="/?world=${id}"`)
    expect((await visitor.look(`/?world=${id}`)).text).toContain('Overview')
    expect((await visitor.look('/worlds')).html).not.toContain(key)
  })

  test('is looked through by the end of a key, or by an id', async () => {
    const { visitor, sandbox } = await openWorld()
    for (const n of [2, 3]) {
      const headers = { 'x-api-key': `SandboxWorldConsoleTests0000000${n}` }
      await sandbox.fetch('/onboarding/api/v1/users/all', { headers })
    }
    const shown = async (text: string) => {
      const page = await visitor.look(`/worlds?text=${text}&${IN}`)
      const list = page.html.slice(page.html.indexOf('id="live-list"'))
      expect(page.html).toContain(`name="text" value="${text}"`)
      return [...list.matchAll(/>(world …\d{4}|default world)<\/a>/g)].map(([, name]) => name)
    }
    expect(await shown('0002')).toEqual(['world …0002'])
    expect(await shown(ID)).toEqual(['world …0001'])
    expect(await shown('DEFAULT')).toEqual(['default world'])
    expect(await shown('9999')).toEqual([])
    const { html, text } = await visitor.look(`/worlds?text=9999&${IN}`)
    expect(text).toContain('No world matches.')
    expect(html).toContain(`<a href="/worlds?${IN}">Show all</a>`)
  })

  test('can be looked through when a world was just made', async () => {
    const { visitor } = await openWorld()
    const { html } = await visitor.submit('/console/worlds', {}, { back: '/worlds' })
    expect(html).toContain('<form class="filters" action="/worlds" method="get"')
  })

  test('deletes one after asking', async () => {
    const { visitor } = await openWorld()
    const asked = await visitor.look(`/worlds/${ID}/delete`)
    expect(asked.text).toContain('Delete world …0001?')
    expect(asked.text).toContain('cannot be restored')
    expect((await visitor.look('/worlds')).text).toContain('world …0001')
    const { path, text } = await visitor.submit(`/console/worlds/${ID}/delete`, {})
    expect(path).toBe('/worlds')
    expect(text).toContain('world …0001 is deleted.')
    expect((await visitor.get(`/?${IN}`)).status).toBe(404)
  })

  test('leads to the default world when the one that is shown is deleted', async () => {
    const { visitor } = await openWorld()
    const { status, path } = await visitor.submit(`/console/worlds/${ID}/delete?${IN}`, {})
    expect([status, path]).toEqual([200, '/worlds'])
  })

  test('deletes neither the default world nor one that is not there', async () => {
    const { visitor } = await openConsole()
    expect((await visitor.get('/worlds/default/delete')).status).toBe(409)
    expect((await visitor.get('/worlds/nope/delete')).status).toBe(404)
    const { text } = await visitor.submit('/console/worlds/default/delete', {})
    expect(text).toContain('default cannot be deleted')
  })
})
