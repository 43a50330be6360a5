import { describe, expect, test } from 'vitest'
import { openConsole } from '../support/console-visit.js'
import { addresses, users } from '../support/fixture-ids.js'
import { didYouMean, invalid } from '../support/invalid.js'
import { payoutRequest } from '../support/requests.js'

const page = { back: '/scenarios' }
const names = (sandbox: Awaited<ReturnType<typeof openConsole>>['sandbox']) =>
  sandbox.tables.playlist.get('active')?.names

const MINE = `name: euro-fails
title: Euro transfers fail
rules:
  - when: transfer.created
    if: { target_currency: EUR }
    then:
      - { after: 5s, move: FAILED, reason: account_closed }
`

describe('the list', () => {
  test('shows active scenarios before inactive ones, each with its drawing', async () => {
    const { visitor } = await openConsole()
    const { text } = await visitor.look('/scenarios')
    expect(text).toMatch(
      /Active, in order of precedence magic-values .* happy-path .* Inactive .* bank-rejects/,
    )
    expect(text).toContain('always active, last in order')
    expect(text).toContain('PENDING ──2s──▶ FUNDS_RECEIVED')
  })

  test('activates before all others, and deactivates', async () => {
    const { sandbox, visitor } = await openConsole()
    const fields = { name: 'bank-rejects' }
    const on = await visitor.submit('/console/scenarios/activate', fields, page)
    expect(on.text).toContain('bank-rejects is active and comes first.')
    expect(names(sandbox)).toEqual(['bank-rejects', 'magic-values'])
    const off = await visitor.submit('/console/scenarios/deactivate', fields, page)
    expect(off.text).toContain('Its pending timers stay.')
    expect(names(sandbox)).toEqual(['magic-values'])
  })

  test('does not know every name', async () => {
    const { visitor } = await openConsole()
    const { text } = await visitor.submit(
      '/console/scenarios/activate',
      { name: 'bank-reject' },
      page,
    )
    expect(text).toContain(invalid('names.0', 'bank-reject'))
    expect(text).toContain(didYouMean('bank-rejects'))
  })
})

describe('one that is pasted', () => {
  test('an uploaded scenario with `activate` is active at once', async () => {
    const { sandbox, visitor } = await openConsole()
    const fields = { text: MINE, activate: 'true' }
    const { path, text } = await visitor.submit('/console/scenarios/post', fields, page)
    expect(path).toBe('/scenarios/euro-fails')
    expect(text).toContain('euro-fails is uploaded. Undo… euro-fails Euro transfers fail active')
    expect(names(sandbox)).toEqual(['euro-fails', 'magic-values'])
    sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '10' })
    sandbox.advance('5s')
    expect((await visitor.look(path)).text).toContain('One rule has fired since the world began.')
  })

  test('has its lines, also when they came with CRLF', async () => {
    const { api, visitor } = await openConsole()
    const text = MINE.replaceAll('\n', '\r\n')
    const posted = await visitor.submit('/console/scenarios/post', { text }, page)
    expect(posted.html).toContain('<code>name: euro-fails</code>')
    expect((await visitor.look('/scenarios?from=euro-fails')).html).not.toContain('\r')
    await api.sandbox.fetch('/_sandbox/scenarios', {
      method: 'POST',
      headers: { 'content-type': 'application/yaml' },
      body: text,
    })
    const { html } = await visitor.look('/scenarios/euro-fails')
    expect(html).toContain('<code>name: euro-fails</code>')
  })

  test('waits, when it is not', async () => {
    const { sandbox, visitor } = await openConsole()
    const { text } = await visitor.submit('/console/scenarios/post', { text: MINE }, page)
    expect(text).toContain('inactive')
    expect(names(sandbox)).toEqual(['magic-values'])
  })

  test('shows each error at its line, keeps the text, and changes nothing', async () => {
    const { sandbox, visitor } = await openConsole()
    const text = MINE.replace('move: FAILED', 'move: FALED').replace('title', 'titel')
    const shown = await visitor.submit('/console/scenarios/post', { text }, page)
    expect(shown.status).toBe(400)
    expect(shown.text).toContain('The file is invalid.')
    expect(shown.html).toMatch(/<textarea [^>]*aria-invalid="true" aria-describedby="problems"/)
    expect(shown.html).toContain('<div id="problems" role="alert">')
    expect(shown.text).toMatch(/line 2, column 1 titel: Euro transfers fail Unknown field "titel"/)
    expect(shown.text).toMatch(
      /line 7, column \d+ - \{ after: 5s, move: FALED.* Did you mean "FAILED"/,
    )
    expect(shown.html).toMatch(/<textarea[^>]*>\n?name: euro-fails/)
    // It was uploaded without `activate`.
    expect(shown.html).not.toMatch(/<input type="checkbox"[^>]*checked/)
    expect(sandbox.tables.posted.size).toBe(0)
  })

  test.each([
    ['', 'body'],
    ['{', 'line'],
    ['- a\n- b', 'Expected an object'],
  ])('%j is none', async (text, words) => {
    const { visitor } = await openConsole()
    const shown = await visitor.submit('/console/scenarios/post', { text }, page)
    expect(shown.status).toBe(400)
    expect(shown.text).toContain(words)
  })
})

describe('a copy of one', () => {
  test('is changed from its text, and posted', async () => {
    const { visitor } = await openConsole()
    const { html } = await visitor.look('/scenarios/bank-rejects')
    expect(html).toContain('href="/scenarios?from=bank-rejects"')
    const changing = await visitor.look('/scenarios?from=bank-rejects')
    expect(changing.html).toMatch(
      /<details open="">[\s\S]*<textarea[^>]*>\n[^<]*name: bank-rejects/,
    )
    expect(changing.text).not.toContain('The file is invalid.')
    expect(changing.html).not.toContain('aria-invalid')
    expect((await visitor.look('/scenarios?from=nobody')).text).toContain('name: euro-fails')
  })
})

describe('its file', () => {
  test('has the lines of rules that fired lit', async () => {
    const { sandbox, visitor } = await openConsole()
    const unlit = await visitor.look('/scenarios/happy-path')
    expect(unlit.text).toContain('No rule has fired')
    expect(unlit.html).not.toContain('<li class="lit">')
    sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '10' })
    sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '10' })
    sandbox.advance({ until: 'idle' })
    const { html, text } = await visitor.look('/scenarios/happy-path')
    expect(html.match(/<li(?: id="rule-1")? class="lit">/g)).toHaveLength(7)
    expect(html).toContain('<li id="rule-1" class="lit"><code>  - when: transfer.created</code>')
    expect(text).toContain('- when: transfer.created fired 2 times')
  })

  test('counts what led to the world as it is: not what was undone, nor what came after a snapshot', async () => {
    const { sandbox, visitor } = await openConsole()
    const look = async () => (await visitor.look('/scenarios/happy-path')).text
    const arrive = () => {
      sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '10' })
      sandbox.advance({ until: 'idle' })
    }
    arrive()
    await visitor.submit('/console/snapshots', { name: 'one' })
    arrive()
    arrive()
    expect(await look()).toContain('- when: transfer.created fired 3 times')
    await visitor.submit('/console/undo', {})
    await visitor.submit('/console/undo', {})
    expect(await look()).toContain('- when: transfer.created fired 2 times')
    await visitor.submit('/console/snapshots/one/restore', {})
    expect(await look()).toContain('- when: transfer.created fired 1 time ')
    expect(await look()).toContain('One rule has fired since the world began.')
    await visitor.submit('/console/reset', {})
    expect(await look()).toContain('No rule has fired since the world began.')
    await visitor.submit('/console/undo', {})
    expect(await look()).toContain('- when: transfer.created fired 1 time ')
  })

  test('says from when on it counts, where the journal does not reach back to the beginning', async () => {
    const { sandbox, visitor } = await openConsole()
    const credit = { user_id: users.ada, currency: 'EUR', amount: '1' }
    for (let i = 0; i < 10_001; i++) sandbox.run('balance.credit', credit)
    sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '10' })
    const oldest = sandbox.entries()[0]?.seq.toLocaleString('en')
    expect((await visitor.look('/scenarios/happy-path')).text).toContain(
      `One rule has fired since 2026-06-15 09:00:00 , entry ${oldest} of the journal: the journal has dropped older entries.`,
    )
  })

  test('says so where the world was forked from a snapshot', async () => {
    const { sandbox, visitor } = await openConsole()
    sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '10' })
    await visitor.submit('/console/snapshots', { name: 'forked' })
    const { html } = await visitor.submit('/console/snapshots/forked/fork', {})
    const [, id] = /href="\/\?world=([^"]+)"/.exec(html) ?? []
    expect((await visitor.look(`/scenarios/happy-path?world=${id}`)).text).toMatch(
      /No rule has fired since 2026-06-15 09:00:00 , entry \d+ of the journal: this world was forked from a snapshot there\./,
    )
  })

  test('so are request rules', async () => {
    const { api, visitor } = await openConsole({ scenarios: ['flaky-gateway'] })
    for (let i = 0; i < 3; i++) {
      await api.carry('/payment/api/v1/payout', {
        method: 'POST',
        headers: {
          'x-api-key': 'SandrampFullAccessKey00000000001',
          'content-type': 'application/json',
        },
        body: JSON.stringify(payoutRequest()),
      })
    }
    const { text } = await visitor.look('/scenarios/flaky-gateway')
    expect(text).toContain('- when: request fired 3 times')
  })
})
