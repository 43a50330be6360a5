import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hashSecret } from '../../src/lib/secrets.js'
import { ConsoleVisit, openConsole } from '../support/console-visit.js'
import { invalid, inWords } from '../support/invalid.js'
import { openOwnSandbox, openSandbox } from '../support/open-sandbox.js'

const TOKEN = 'correct-horse-battery-staple'
const advance = '/console/do/advanceClock'
const NOW = '2026-06-15T09:00:00.000Z'

const OTHER_SITES: readonly Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'http://localhost:3000' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
]

/** How a browser comes that follows a link. */
const VISIT = {
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}

describe('from another site', () => {
  test.each(OTHER_SITES)('%j reads nothing and does nothing', async (headers) => {
    const { sandbox, visitor } = await openConsole()
    for (const path of ['/', '/payments', '/console/live', '/requests.har', '/find?q=x']) {
      const { status, text } = await visitor.get(path, headers)
      expect([path, status]).toEqual([path, 403])
      expect(text).toContain('comes from another site')
      expect(text).toContain('The console accepts only')
    }
    expect((await visitor.submit(advance, { by: '1h' }, { headers })).status).toBe(403)
    expect(sandbox.now).toBe(NOW)
  })

  test('a link may lead here, a form may not', async () => {
    const { sandbox, visitor } = await openConsole()
    expect((await visitor.get('/payments', VISIT)).status).toBe(200)
    expect((await visitor.submit(advance, { by: '1h' }, { headers: VISIT })).status).toBe(403)
    const posted = { ...VISIT, origin: 'https://evil.example' }
    expect((await visitor.get('/payments', posted)).status).toBe(403)
    expect(sandbox.now).toBe(NOW)
  })

  test.each(['evil.example', 'sandramp:4020', '192.168.1.7:4020'])(
    'Host %s is refused, also to visits',
    async (host) => {
      const { visitor } = await openConsole()
      for (const headers of [{ host }, { host, ...VISIT, 'sec-fetch-site': 'none' }]) {
        const { status, text } = await visitor.get('/', headers)
        expect(status).toBe(403)
        expect(text).toContain(invalid('Host', inWords(host), 'localhost or 127.0.0.1'))
      }
      const { status } = await visitor.submit(advance, { by: '1h' }, { headers: { host } })
      expect(status).toBe(403)
    },
  )

  test('own pages may do everything', async () => {
    const { sandbox, visitor } = await openConsole()
    const host = 'localhost:4020'
    const headers = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }
    expect((await visitor.submit(advance, { by: '1h' }, { headers })).status).toBe(200)
    expect(sandbox.now).toBe('2026-06-15T10:00:00.000Z')
  })
})

test('a notice that a page on another port signed with its own session is not shown', async () => {
  const { sandbox } = await openConsole()
  const value = Buffer.from(JSON.stringify({ text: 'FORGED' })).toString('base64url')
  const signature = createHmac('sha256', 'x').update(value).digest('base64url')
  const cookie = `sandramp_session_80=x; sandramp_toast_80=${value}.${signature}`
  const page = await sandbox.fetch('/', { headers: { host: 'localhost', cookie } })
  expect(page.status).toBe(200)
  expect(await page.text()).not.toContain('FORGED')
})

test('a chosen theme is part of each page, without a script', async () => {
  const { visitor } = await openConsole()
  const scheme = async () =>
    /name="color-scheme" content="([^"]*)"/.exec((await visitor.look('/users')).html)?.[1]
  expect(await scheme()).toBe('light dark')
  const { path } = await visitor.submit('/console/theme', { theme: 'dark' }, { back: '/payments' })
  expect([path, await scheme()]).toEqual(['/payments', 'dark'])
  await visitor.submit('/console/theme', { theme: 'odd' })
  expect(await scheme()).toBe('light dark')
})

describe('with a control token', () => {
  const open = async () => {
    const { sandbox } = await openSandbox({ controlToken: TOKEN })
    return { sandbox, visitor: new ConsoleVisit(sandbox, { host: 'sandramp:4020' }) }
  }

  test('nothing is shown or done without it', async () => {
    const { sandbox, visitor } = await open()
    for (const path of ['/', '/users', '/connect', '/console/live', '/requests.har', '/find?q=x']) {
      const { status, text, headers } = await visitor.get(path)
      expect([path, status]).toEqual([path, 401])
      expect(text).toContain('Enter the control token of this sandbox')
      expect(text).not.toContain('Okafor')
      expect(headers.get('content-security-policy')).toContain("form-action 'self'")
    }
    expect((await visitor.submit(advance, { by: '1h' })).status).toBe(401)
    expect(sandbox.now).toBe(NOW)
  })

  test('it is asked for once, and leads on to where one wanted to be', async () => {
    const { visitor } = await open()
    const asked = await visitor.get('/payments?status=FAILED')
    expect(asked.html).toContain('name="back" value="/payments?status=FAILED"')
    const back = '/payments?status=FAILED'
    const { status, path } = await visitor.submit('/console/token', { token: TOKEN, back })
    expect([status, path]).toEqual([200, back])
    expect((await visitor.get('/users')).text).toContain('Ada Okafor')
    expect((await visitor.submit(advance, { by: '1s' })).status).toBe(200)
  })

  test('no page shows it', async () => {
    const { sandbox } = await openOwnSandbox({ controlToken: TOKEN })
    const visitor = new ConsoleVisit(sandbox)
    await visitor.submit('/console/token', { token: TOKEN })
    const { text } = await visitor.look('/users')
    expect(text).not.toContain(TOKEN)
  })

  test.each(['wrong', '', TOKEN.toUpperCase()])('%j opens nothing', async (token) => {
    const { visitor } = await open()
    const { status, text, html } = await visitor.submit('/console/token', { token })
    expect(status).toBe(401)
    expect(text).toContain('Wrong control token.')
    expect(html).toMatch(/<input type="password"[^>]* autofocus[^>]* aria-invalid="true"/)
    expect(visitor.cookies.size).toBe(0)
    expect((await visitor.get('/')).status).toBe(401)
  })

  test('a wrong one is asked for again, and leads on to the same page', async () => {
    const { sandbox, visitor } = await open()
    const back = '/payments?status=FAILED'
    const wrong = await visitor.submit('/console/token', { token: 'wrong', back })
    expect(wrong.html).toContain(`name="back" value="${back}"`)
    expect((await visitor.get(back)).text).not.toContain('Wrong control token.')
    const right = await visitor.submit('/console/token', { token: TOKEN, back })
    expect([right.status, right.path]).toEqual([200, back])
    expect(sandbox.now).toBe(NOW)
  })

  test('a user who was signed out returns to the same page', async () => {
    const { visitor } = await open()
    const from = (referer: string) =>
      visitor.submit(advance, { by: '1h' }, { headers: { referer } })
    const asked = await from('http://sandramp:4020/users?show=wallets')
    expect(asked.html).toContain('name="back" value="/users?show=wallets"')
    for (const elsewhere of ['nowhere', 'http://sandramp:4020/console/do/postScenario'])
      expect((await from(elsewhere)).html).toContain('name="back" value="/"')
  })

  test('the cookie is signed, has an end, is for this sandbox alone and out of reach of scripts', async () => {
    const { sandbox } = await open()
    const answer = await sandbox.fetch('https://sandramp:4020/console/token', {
      method: 'POST',
      headers: { host: 'sandramp:4020', 'content-type': 'application/x-www-form-urlencoded' },
      body: `token=${TOKEN}`,
    })
    const [cookie = ''] = answer.headers.getSetCookie()
    expect(cookie).toMatch(
      /^sandramp_session_4020=\d+\.\.[\w-]{86}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    )
    expect(cookie).not.toContain(TOKEN)
  })

  test('a forged cookie, or one of another sandbox, opens nothing', async () => {
    const { sandbox, visitor } = await open()
    await visitor.submit('/console/token', { token: TOKEN })
    const [[name = '', value = ''] = []] = visitor.cookies
    for (const cookie of [
      `${name}=${value.slice(1)}0`,
      `${name}=${TOKEN}`,
      `sandramp_session_80=${value}`,
      `${name}=${hashSecret(`console ${TOKEN}`)}`,
      `${name}=`,
    ]) {
      const headers = { host: 'sandramp:4020', cookie }
      expect((await sandbox.fetch('/', { headers })).status).toBe(401)
    }
  })

  test('a session ends after twelve hours, and no later one can be made up', async () => {
    let machine = Date.parse('2026-06-15T09:00:00Z')
    const { sandbox } = await openOwnSandbox({
      controlToken: TOKEN,
      machineClock: () => machine,
    })
    const visitor = new ConsoleVisit(sandbox)
    await visitor.submit('/console/token', { token: TOKEN })
    machine += 12 * 60 * 60 * 1_000 - 1
    await visitor.look('/users')
    machine += 1
    expect((await visitor.get('/users')).status).toBe(401)
    const [[name = '', value = ''] = []] = visitor.cookies
    visitor.cookies.set(name, value.replace(/^\d+/, String(machine + 1_000)))
    expect((await visitor.get('/users')).status).toBe(401)
  })

  test('another replica with the token accepts the session', async () => {
    const { visitor } = await open()
    await visitor.submit('/console/token', { token: TOKEN })
    const { sandbox } = await openOwnSandbox({ controlToken: TOKEN })
    const replica = new ConsoleVisit(sandbox, visitor.headers)
    for (const [name, value] of visitor.cookies) replica.cookies.set(name, value)
    await replica.look('/users')
  })

  test('another site cannot bring it', async () => {
    const { visitor } = await open()
    const headers = { origin: 'https://evil.example' }
    const { status } = await visitor.submit('/console/token', { token: TOKEN }, { headers })
    expect(status).toBe(403)
    expect(visitor.cookies.size).toBe(0)
  })

  test('files need none', async () => {
    const { sandbox } = await open()
    for (const file of ['console.css', 'client.js']) {
      const answer = await sandbox.fetch(`/console/${file}`)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    }
  })
})
