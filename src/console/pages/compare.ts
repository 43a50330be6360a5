import type { User } from '../../domain/schema.js'
import { fullName } from '../../domain/users.js'
import type { ComparedRequest, Comparison } from '../../history/compare-worlds.js'
import type { nouns } from '../../history/explain.js'
import type { Operation } from '../../http/operation/operation.js'
import type { Row } from '../../kernel/row.js'
import { findDifferences } from '../../lib/json.js'
import { DEFAULT_WORLD } from '../../lib/secrets.js'
import type { WorldHandle } from '../../runtime/world-registry.js'
import { type Html, html } from '../components/html.js'
import { drawEmpty, drawHead } from '../components/parts.js'
import { drawCode, drawTime } from '../components/text.js'
import {
  CONTROL_TEXTS,
  compareSentence,
  fieldText,
  requestDifferences,
} from '../control-sentences.js'
import { capitalize, formatMoney } from '../format.js'
import { type DrawPage, type PageContext, worldPath } from '../page-context.js'
import { missingWorld, ruleRef } from '../sentences.js'

interface ComparedWorld {
  readonly id: string
  readonly name: string | null
}

/** The answer of the control operation. */
type Result = Comparison & {
  readonly a: ComparedWorld
  readonly b: ComparedWorld
  readonly now: { readonly a: string; readonly b: string }
}

const compare = async ({ sandbox, scope, findOperation }: PageContext, a: string, b: string) => {
  const call = { sandbox, scope, query: { a, b } } as unknown as Parameters<Operation['handle']>[0]
  const reply = await findOperation('compareWorlds')?.handle(call)
  const result = (reply as { readonly body: Result }).body
  const { worlds } = sandbox
  const known = { a: readIds(worlds.findIn(scope, a)), b: readIds(worlds.findIn(scope, b)) }
  const balances = result.balances.map((it) => {
    const user = known.a.find('users', it.of) ?? known.b.find('users', it.of)
    return { ...it, of: user ? fullName(user as User) : it.of }
  })
  return { ...result, balances, known }
}

type Compared = Awaited<ReturnType<typeof compare>>

/** A comparison leaves out the ids of requests, and names records by number, such as `payout 2`. */
const readIds = (handle: WorldHandle | undefined) => {
  const requests = handle?.live.requests.list().map(({ id }) => id) ?? []
  const find = (noun: keyof typeof nouns, name: string): Row | undefined => {
    for (const row of handle?.live.world.tables[noun].values() ?? [])
      if (name === `${noun.slice(0, -1)} ${row.n}`) return row
    return undefined
  }
  return { requests, find }
}

/** Two ticked boxes have one name, so `?a=&a=` works as `?a=&b=` does. */
export const comparePage: DrawPage = async (ctx) => {
  const [a, b] = [...ctx.query.getAll('a'), ...ctx.query.getAll('b')]
  const title = 'Where two worlds part'
  if (!a || !b) return { title, body: drawEmpty(ctx, CONTROL_TEXTS.noPair) }
  const { sandbox, scope } = ctx
  await Promise.all([a, b].map((id) => sandbox.worlds.loadIn(scope, id)))
  const gone = [a, b].find((id) => !sandbox.worlds.findIn(scope, id))
  if (gone)
    return { title, status: 404, body: drawEmpty(ctx, missingWorld(gone.slice(0, 64), false)) }
  const result = await compare(ctx, a, b)
  const { setup, records, balances, now } = result
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

/** One row about both worlds. */
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

const WITH_PAGE = ['users', 'transfers', 'payouts']

const drawRecords =
  ({ known, ...worlds }: Compared) =>
  ({ noun, different, ...counts }: Result['records'][number], side: Side): Html =>
    html`
    <b>${counts[side]}</b>
    ${different.slice(0, MAX_SHOWN).map((pair) => {
      const [own, its] = [pair[side], pair[side === 'a' ? 'b' : 'a']]
      const name = String(own?.id)
      const link = drawLink(worlds[side], `/${noun}/${known[side].find(noun, name)?.id}`, name)
      const fields = its ? drawFields(findDifferences(own, its)) : 'only here'
      return own && html`<div>${WITH_PAGE.includes(noun) ? link : name} ${fields}</div>`
    })}`

/** Equal requests in a row are one line. */
const drawRequests = ({ requests, known, ...worlds }: Compared): Html => {
  const rows: Html[] = []
  let isFirst = true
  for (let i = 0; i < requests.length; i++) {
    const { n, a, b, same } = requests[i] as Result['requests'][number]
    if (same) {
      const names = new Set([nameRequest(a)])
      while (requests[i + 1]?.same) names.add(nameRequest(requests[++i]?.a))
      const numbers = i + 1 === n ? String(n) : `${n} to ${i + 1}`
      rows.push(drawSame(numbers, `the same: ${[...names].join(', ')}`))
    } else {
      const name = isFirst ? `${n}, here they part` : n
      const idOf = (side: Side) =>
        known[side].requests[requests.slice(0, i).filter((it) => it[side]).length]
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

/** Of the first of both. */
const drawFields = (fields: Iterable<{ readonly path: string; readonly a: unknown }>): Html =>
  [...fields]
    .slice(0, MAX_SHOWN)
    .map(({ path, a }) => html`<div class="note">${path} <bdi>${fieldText(a)}</bdi></div>`)
