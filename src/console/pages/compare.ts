import {
  CONTROL_TEXTS,
  compareSentence,
  fieldText,
  requestDifferences,
} from '../../activity/control-sentences.js'
import { missingWorld, ruleRef } from '../../activity/record-sentences.js'
import { fullName } from '../../domain/users.js'
import type { ComparedRequest, Comparison } from '../../history/compare-worlds.js'
import { capitalize, formatMoney } from '../../history/format.js'
import type { Operation } from '../../http/operation/operation.js'
import { findDifferences } from '../../lib/json.js'
import { DEFAULT_WORLD } from '../../lib/secrets.js'
import type { LiveWorld } from '../../worlds/live-world.js'
import { type Html, html } from '../components/html.js'
import { drawEmpty, drawHead } from '../components/parts.js'
import { drawCode, drawTime } from '../components/text.js'
import { type DrawPage, loadWorlds, type PageContext, worldPath } from '../page-context.js'

interface ComparedWorld {
  readonly id: string
  readonly name: string | null
}

type Result = Comparison & {
  readonly a: ComparedWorld
  readonly b: ComparedWorld
  readonly now: { readonly a: string; readonly b: string }
}

const compare = async ({ sandbox, scope, findOperation }: PageContext, a: string, b: string) => {
  const call = { sandbox, scope, query: { a, b } } as unknown as Parameters<Operation['handle']>[0]
  const reply = await findOperation('compareWorlds')?.handle(call)
  return (reply as { readonly body: Result }).body
}

/** A comparison leaves these out, because they differ between any two runs. */
const readNames = ({ world: { tables }, requests }: LiveWorld) => ({
  requests: requests.list().map(({ id }) => id),
  users: new Map(tables.users.all().map((it) => [`user ${it.n}`, fullName(it)])),
  /** The id of a record such as `payout 2`. */
  findId: (noun: keyof typeof PAGES, name: string): string | undefined => {
    for (const { id, n } of tables[noun].values()) if (name === `${PAGES[noun]} ${n}`) return id
    return undefined
  },
})

/** Nouns whose records have a page. */
const PAGES = { users: 'user', transfers: 'transfer', payouts: 'payout' } as const

type Compared = Result & { readonly names: Readonly<Record<Side, ReturnType<typeof readNames>>> }

/** Two ticked boxes have one name, so `?a=&a=` works as `?a=&b=` does. */
export const comparePage: DrawPage = async (ctx) => {
  const [a, b] = [...ctx.query.getAll('a'), ...ctx.query.getAll('b')]
  const title = 'Where two worlds part'
  if (!a || !b) return { title, body: drawEmpty(ctx, CONTROL_TEXTS.noPair) }
  const [inA, inB] = await loadWorlds(ctx, [a, b])
  if (!inA || !inB) {
    const text = missingWorld((inA ? b : a).slice(0, 64), false)
    return { title, status: 404, body: drawEmpty(ctx, text) }
  }
  const { balances: sums, ...rest } = await compare(ctx, a, b)
  const names = { a: readNames(inA), b: readNames(inB) }
  const nameOf = (of: string): string => names.a.users.get(of) ?? names.b.users.get(of) ?? of
  const balances = sums.map((it) => ({ ...it, of: nameOf(it.of) }))
  const result = { ...rest, balances, names }
  const { setup, records, now } = result
  const swapped = ctx.href(`/worlds/compare?a=${b}&b=${a}`)
  return {
    title,
    body: html`
      ${drawHead(ctx, {
        above: html`<a href="${ctx.href(`/worlds?a=${a}&a=${b}`)}">Worlds</a> · compare`,
        title,
        sentence: compareSentence(result),
        actions: html`<a class="button" href="${swapped}">Swap</a>`,
      })}
      <section class="scroll" tabindex="0" aria-label="Comparison">
        <table class="compare">
          <thead><tr>
            <th scope="col">Part</th>
            <th scope="col">A · ${drawWorld(result.a)}</th>
            <th scope="col">B · ${drawWorld(result.b)}</th>
          </tr></thead>
          <tbody>
            ${drawHeading('Set-up')}
            ${drawParts(setup, ({ what }) => capitalize(what), drawValue)}
            ${drawHeading('Requests, side by side')}
            ${drawRequests(result)}
            ${drawHeading('Records')}
            ${drawParts(records, ({ noun }) => capitalize(noun), drawRecords(result))}
            ${drawHeading('Money')}
            ${drawParts(balances, ({ of, asset }) => `${of}, ${asset}`, drawBalance)}
            ${drawRow('', 'Time', drawTime(ctx, now.a), drawTime(ctx, now.b))}
          </tbody>
        </table>
      </section>`,
  }
}

const drawLink = ({ id }: ComparedWorld, path: string, text: Html): Html =>
  html`<a href="${worldPath(id === DEFAULT_WORLD ? undefined : id, path)}"><bdi>${text}</bdi></a>`

const drawWorld = (world: ComparedWorld): Html => {
  const text = world.id === DEFAULT_WORLD ? 'Default world' : `World ${world.id.slice(0, 8)}`
  return drawLink(world, '/', world.name ?? text)
}

const drawHeading = (text: string): Html => html`<tr><th colspan="3" class="note">${text}</th></tr>`

const drawRow = (kind: '' | 'callout' | 'callout bad', name: Html, a: Html, b: Html): Html =>
  html`<tr class="${kind}"><th scope="row">${name}</th><td>${a}</td><td>${b}</td></tr>`

const drawSame = (name: Html, text: Html): Html =>
  html`<tr><th scope="row">${name}</th><td colspan="2"><span class="note">${text}</span></td></tr>`

type Side = 'a' | 'b'

const MAX_NAMES = 8

/** Each part that differs, and one row with the names of the others. */
const drawParts = <P extends { readonly same: boolean }>(
  parts: readonly P[],
  nameOf: (part: P) => string,
  drawSide: (part: P, side: Side) => Html,
): Html => {
  const same = parts.filter((it) => it.same)
  const isShort = same.length <= MAX_NAMES
  const names = isShort ? same.map(nameOf).join(', ') : `${same.length} others`
  const values = isShort && same.map((it, i) => [i > 0 ? ' · ' : ': ', drawSide(it, 'a')])
  const rows = parts
    .filter(({ same }) => !same)
    .map((it) => drawRow('callout', nameOf(it), drawSide(it, 'a'), drawSide(it, 'b')))
  return [...rows, same.length > 0 && drawSame(names, ['the same', values])]
}

const drawValue = (values: Result['setup'][number], side: Side): Html => {
  const value = values[side] ?? {}
  const texts = Object.entries(value).map(([name, it]) =>
    Array.isArray(value) ? fieldText(it) : `${name} ${fieldText(it)}`,
  )
  return html`<bdi>${texts.join(', ') || 'none'}</bdi>`
}

const drawBalance = (balance: Result['balances'][number], side: Side): Html => {
  const amount = balance[side]
  return amount === null ? 'none' : formatMoney(amount, balance.asset)
}

const MAX_SHOWN = 6

const drawRecords =
  ({ names, ...worlds }: Compared) =>
  ({ noun, different, ...counts }: Result['records'][number], side: Side): Html =>
    html`
    <b>${counts[side]}</b>
    ${different.slice(0, MAX_SHOWN).map((pair) => {
      const [own, its] = [pair[side], pair[side === 'a' ? 'b' : 'a']]
      const name = String(own?.id)
      const path = () => `/${noun}/${names[side].findId(noun as keyof typeof PAGES, name)}`
      const fields = its ? drawFields(findDifferences(own, its)) : 'only here'
      return (
        own &&
        html`<div>${noun in PAGES ? drawLink(worlds[side], path(), name) : name} ${fields}</div>`
      )
    })}`

/** Equal requests in a row are one line. */
const drawRequests = ({ requests, names, ...worlds }: Compared): Html => {
  const rows: Html[] = []
  let isFirst = true
  for (let i = 0; i < requests.length; i++) {
    const { n, a, b, same } = requests[i] as Result['requests'][number]
    if (same) {
      const kinds = new Set([nameRequest(a)])
      while (requests[i + 1]?.same) kinds.add(nameRequest(requests[++i]?.a))
      const numbers = i + 1 === n ? String(n) : `${n} to ${i + 1}`
      rows.push(drawSame(numbers, `the same: ${[...kinds].join(', ')}`))
    } else {
      const name = isFirst ? `${n}, here they part` : n
      const idOf = (side: Side) =>
        names[side].requests[requests.slice(0, i).filter((it) => it[side]).length]
      const inA = drawRequest(worlds.a, idOf('a'), a, b)
      const inB = drawRequest(worlds.b, idOf('b'), b, a)
      rows.push(drawRow(isFirst ? 'callout bad' : 'callout', name, inA, inB))
      isFirst = false
    }
  }
  return rows
}

const nameRequest = (it: ComparedRequest | null | undefined): string =>
  it?.operation ?? `${it?.method} ${it?.path}`

const drawRequest = (
  world: ComparedWorld,
  id: string | undefined,
  own: ComparedRequest | null,
  its: ComparedRequest | null,
): Html => {
  if (!own) return html`<span class="note">none</span>`
  const { amount, currency } = Object(own.request) as { amount?: unknown; currency?: unknown }
  const money = typeof amount === 'string' && formatMoney(amount, String(currency))
  return html`${drawLink(world, `/?request=${id}`, [nameRequest(own), ' ', money])}
    ${drawCode(own.status)}
    ${own.fault && html`<div class="note">${ruleRef(own.fault).text}</div>`}
    ${its && drawFields(requestDifferences(own, its))}`
}

const drawFields = (fields: Iterable<{ readonly path: string; readonly a: unknown }>): Html =>
  [...fields]
    .slice(0, MAX_SHOWN)
    .map(({ path, a }) => html`<div class="note">${path} <bdi>${fieldText(a)}</bdi></div>`)
