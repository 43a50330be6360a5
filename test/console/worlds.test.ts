import { describe, expect, test } from 'vitest'
import { ConsoleVisit, textOf } from '../support/console-visit.js'
import { ownId } from '../support/fixture-ids.js'
import { openOwnSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import { worldId, worldKey } from '../support/worlds.js'

const open = async () => {
  const api = await openOwnSandbox()
  const visitor = new ConsoleVisit(api.sandbox)
  const make = async (name: string) => {
    const { body } = await api.post<{ id: string; key: string }>('/_sandbox/worlds', { name })
    const pay = (n: number, changes = {}) =>
      api.post(
        '/payment/api/v1/payout',
        { ...payoutRequest(), customer_payout_id: ownId(n), ...changes },
        { key: body.key },
      )
    return { ...body, pay }
  }
  const act = (operation: string, fields: Record<string, string>) =>
    visitor.submit(`/console/do/${operation}`, fields, { back: '/worlds' })
  return { api, visitor, make, act }
}

describe('the list of worlds', () => {
  test('begins with problems, and hides the worlds without one', async () => {
    const { visitor, make, api } = await open()
    const stuck = await make('stays pending')
    await api.post(`/_sandbox/next?world=${stuck.id}`, {
      operation: 'createPayout',
      then: { stop: true },
    })
    await stuck.pay(1)
    const refused = await make('refuses a wrong amount')
    await refused.pay(1, { amount: 'much' })
    const twice = await make('pays once')
    await api.post(`/_sandbox/next?world=${twice.id}`, { then: { drop: 'after' } })
    await expect(twice.pay(1)).rejects.toThrow()
    await twice.pay(2)
    await (await make('is fine')).pay(1)
    const { text, html } = await visitor.look('/worlds')
    const places = ['pays once', 'stays pending', 'refuses a wrong amount', 'is fine'].map((it) =>
      text.lastIndexOf(it),
    )
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(text).toMatch(
      /Looks paid twice paid twice: 1,500\.00 NGN, .* after the answer was lost, with a new id The first payment/,
    )
    expect(text).toContain('Left unfinished 1 payout')
    expect(text).toContain('5 worlds')
    expect(text).toContain('2 worlds without a problem on this page')
    expect(html.indexOf('without a problem')).toBeLessThan(html.lastIndexOf('is fine'))
    const filtered = (await visitor.look('/worlds?status=problems')).html
    expect(filtered).not.toContain('Choose refuses a wrong amount')
  })

  test('does not suspect a payout after a failed one, a repeat, or a second bill', async () => {
    const { visitor, make, api } = await open()
    const { id, pay } = await make('retries')
    const then = { move: 'PAYOUT_FAILED', reason: 'rejected_by_bank' }
    await api.post(`/_sandbox/next?world=${id}`, { operation: 'createPayout', then })
    for (const n of [1, 2, 2, 3]) await pay(n)
    expect((await visitor.look('/worlds')).text).not.toContain('Looks paid twice')
  })

  test('renames and deletes a world, and several by their name', async () => {
    const { visitor, make, act } = await open()
    const { id } = await make('one')
    await act('renameWorld', { id, name: 'another' })
    const opened = await visitor.look(`/worlds?open=${id}`)
    expect(opened.text).toContain('another')
    expect(opened.text).toMatch(/\d payouts, \d+ transfers and 0 requests go with it/)
    await act('deleteWorld', { id })
    for (const name of ['many', 'many', 'stays']) await make(name)
    await act('deleteWorlds', { name: 'many' })
    const { text } = await visitor.look('/worlds')
    expect(text).toContain('stays')
    expect(text).not.toMatch(/another|many/)
  })

  test('creates a world, whose key is shown once, beside a link to it', async () => {
    const { act, visitor } = await open()
    const { html, text } = await act('createWorld', { name: 'by hand' })
    expect(text).toContain('It is shown once')
    expect(html).toMatch(/<h2><a href="\/\?world=\w+"><bdi>by hand<\/bdi>/)
    expect((await visitor.look('/worlds')).text).toContain('by hand')
  })

  test('hides no hit of the filter', async () => {
    const { visitor, make } = await open()
    await make('is fine')
    const { text, html } = await visitor.look('/worlds?text=fine')
    expect(text).toContain('1 world. None')
    expect(html).toContain('Choose is fine')
    expect(html).not.toContain('without a problem</summary>')
  })

  test('says that the world of the page is in use', async () => {
    const { visitor, make } = await open()
    await make('another')
    const cells = (await visitor.look('/worlds')).html.match(
      /<td class="minor number">(now|.* ago)/g,
    )
    expect(cells?.filter((it) => it.endsWith('now'))).toHaveLength(1)
  })
})

describe('the worlds to compare', () => {
  const linksOf = (html: string): string[] =>
    [...html.matchAll(/(?:href|hx-get)="(\/worlds\?[^"]*)"/g)].map(([, it = '']) =>
      it.replaceAll('&amp;', '&'),
    )

  test('are in the address, so that filter and chips keep them', async () => {
    const { visitor, make } = await open()
    const [one, two] = [await make('one'), await make('two')]
    const { text, html } = await visitor.look(`/worlds?a=${one.id}&a=${two.id}&text=nowhere`)
    expect(text).toContain('No world matches. ')
    expect(text).toContain('2 chosen: one, two.')
    expect(html).toContain(`href="/worlds/compare?a=${one.id}&amp;a=${two.id}"`)
    expect(html.match(/type="hidden" name="a" value="\w+"/g)).toHaveLength(2)
    const failed = linksOf(html).find((it) => it.includes('status=failed'))
    expect((await visitor.look(failed ?? '')).text).toContain('2 chosen: one, two.')
    const clear = linksOf(html).find((it) => !it.includes('a='))
    expect((await visitor.look(clear ?? '')).text).toContain('Tick two worlds')
  })

  test('change with each tick, and a third one replaces the older', async () => {
    const { visitor, make } = await open()
    const [one, two, three] = [await make('one'), await make('two'), await make('three')]
    const chosen = `/worlds?a=${one.id}&a=${two.id}`
    const unticked = linksOf((await visitor.look(chosen)).html)
    expect(unticked).toContain(`/worlds?a=${one.id}`)
    expect((await visitor.look(`${chosen}&a=${three.id}`)).text).toContain('2 chosen: two, three.')
    const { html, text } = await visitor.look(`/worlds?a=${one.id}`)
    expect(text).toContain('1 chosen: one. Tick another to compare them.')
    expect(html).toMatch(/aria-label="Choose one"[^>]* checked/)
    expect(html).toContain('<noscript><button type="submit" class="main">Compare</button>')
  })

  test('are without a world that was deleted', async () => {
    const { visitor, make, act } = await open()
    const [one, two] = [await make('one'), await make('two')]
    await act('deleteWorld', { id: one.id })
    const { text } = await visitor.look(`/worlds?a=${one.id}&a=${two.id}`)
    expect(text).toContain('1 chosen: two.')
  })

  test('begin with the world of the page, in its menu', async () => {
    const { visitor, make } = await open()
    const { id } = await make('one')
    const { html } = await visitor.look(`/users?world=${id}`)
    expect(html).toContain(`href="/worlds?a=${id}&amp;world=${id}">Compare this world</a>`)
  })
})

describe('the comparison', () => {
  test('begins with the first difference', async () => {
    const { visitor, make } = await open()
    const [a, b] = [await make('pays again'), await make('repeats')]
    for (const { pay } of [a, b]) await pay(1)
    await a.pay(2)
    await b.pay(1)
    const { text, html } = await visitor.look(`/worlds/compare?a=${a.id}&a=${b.id}`)
    expect(text).toContain(
      'They begin alike. They part at request 2, createPayout: A pays again with a new customer_payout_id, B repeats the old one. A ends with 1 payout more and 1,550.00 NGN less for Ada Okafor.',
    )
    expect(html).toMatch(/<tr class="callout bad"><th scope="row">2, here they part/)
    expect(text).toContain('customer_payout_id id 2')
    expect(text).toMatch(/payout 5 +only here/)
    expect(text).toContain('Ada Okafor, NGN')
    expect(text).toMatch(/Users, Consents, .* the same: 8 · 10 · /)
  })

  test('leads to each different request and record, in its world', async () => {
    const { visitor, make } = await open()
    const [a, b] = [await make('pays'), await make('does not')]
    await a.pay(1)
    const { html } = await visitor.look(`/worlds/compare?a=${b.id}&a=${a.id}`)
    const links = [...html.matchAll(/<td>.*?<a href="([^"]*)"/gs)]
    const pages = await Promise.all(
      links.map(([, link = '']) => visitor.look(link.replaceAll('&amp;', '&'))),
    )
    const titles = pages.map((it) => textOf(/<h1>(.*?)<\/h1>/s.exec(it.html)?.[1] ?? ''))
    expect(titles).toEqual([
      ' 1,500.00 NGN to Marina Test Bank for Ada Okafor',
      ' 1,500.00 NGN to Marina Test Bank',
    ])
  })

  test('finds nothing between a world and itself, and no world of an unknown id', async () => {
    const { visitor } = await open()
    const same = await visitor.look('/worlds/compare?a=default&b=default')
    expect(same.text).toContain('Nothing differs but times and ids.')
    const unknown = worldId(worldKey('unknown'))
    const gone = await visitor.get(`/worlds/compare?a=default&b=${unknown}`)
    expect(gone.status).toBe(404)
    expect(gone.text).toContain(`No world has the id ${unknown}. It was deleted`)
    expect((await visitor.look('/worlds/compare')).text).toContain('Tick two worlds')
  })
})
