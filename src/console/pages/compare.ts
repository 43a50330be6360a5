import type { ComparedRequest, Comparison } from '../../history/compare-worlds.js'
import type { Operation } from '../../http/operation/operation.js'
import { DEFAULT_WORLD } from '../../lib/secrets.js'
import { type Html, html } from '../components/html.js'
import { drawEmpty, drawHead } from '../components/parts.js'
import { drawCode, drawTime } from '../components/text.js'
import { CONTROL_TEXTS, compareSentence } from '../control-sentences.js'
import { capitalize, formatMoney } from '../format.js'
import { type DrawPage, type PageContext, worldPath } from '../page-context.js'

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
  return (reply as { readonly body: Result }).body
}

/** Two ticked boxes have one name, so `?a=&a=` works as `?a=&b=` does. */
export const comparePage: DrawPage = async (ctx) => {
  const [a, b] = [...ctx.query.getAll('a'), ...ctx.query.getAll('b')]
  const title = 'Where two worlds part'
  if (!a || !b) return { title, body: drawEmpty(ctx, CONTROL_TEXTS.noPair) }
  const result = await compare(ctx, a, b)
  const { setup, requests, records, balances, now } = result
  const request = requests.find(({ same }) => !same)
  const swapped = ctx.href(`/worlds/compare?a=${b}&b=${a}`)
  return {
    title,
    body: html`
      ${drawHead(ctx, {
        above: html`<a href="${ctx.href(`/worlds?a=${a}&a=${b}`)}">Worlds</a> · compare`,
        title,
        sentence: compareSentence(result.first?.kind, request),
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
            ${drawRequests(requests)}
            ${drawHeading('Records')}
            ${drawParts(records, ({ noun }) => capitalize(noun), drawRecords)}
            ${drawHeading('Money')}
            ${drawParts(balances, ({ of, asset }) => `${of}, ${asset}`, drawBalance)}
            ${drawRow('', 'Time', drawTime(ctx, now.a), drawTime(ctx, now.b))}
          </tbody>
        </table>
      </section>`,
  }
}

const drawWorld = ({ id, name }: ComparedWorld): Html => {
  const isDefault = id === DEFAULT_WORLD
  const text = name ?? (isDefault ? 'Default world' : `World ${id.slice(0, 8)}`)
  return html`<a href="${worldPath(isDefault ? undefined : id, '/')}"><bdi>${text}</bdi></a>`
}

const drawHeading = (text: string): Html => html`<tr><th colspan="3" class="note">${text}</th></tr>`

const drawRow = (kind: '' | 'callout' | 'callout bad', name: Html, a: Html, b: Html): Html =>
  html`<tr class="${kind}"><th scope="row">${name}</th><td>${a}</td><td>${b}</td></tr>`

/** One row about both worlds. */
const drawSame = (name: Html, text: Html = 'the same'): Html =>
  html`<tr><th scope="row">${name}</th><td colspan="2"><span class="note">${text}</span></td></tr>`

type Side = 'a' | 'b'

const MAX_NAMES = 8

/** Each part that differs, and one row with the names of the others. */
const drawParts = <P extends { readonly same: boolean }>(
  parts: readonly P[],
  nameOf: (part: P) => string,
  drawSide: (part: P, side: Side) => Html,
): Html => {
  const names = parts.filter(({ same }) => same).map(nameOf)
  const text = names.length > MAX_NAMES ? `${names.length} others` : names.join(', ')
  const rows = parts
    .filter(({ same }) => !same)
    .map((it) => drawRow('callout', nameOf(it), drawSide(it, 'a'), drawSide(it, 'b')))
  return [...rows, names.length > 0 && drawSame(text)]
}

const drawValue = (values: Result['setup'][number], side: Side): Html => {
  const value = values[side]
  const isList = Array.isArray(value) && value.every((it) => typeof it === 'string')
  return html`<bdi>${isList ? value.join(', ') || 'none' : JSON.stringify(value)}</bdi>`
}

const drawBalance = (balance: Result['balances'][number], side: Side): Html => {
  const amount = balance[side]
  return amount === null ? 'none' : formatMoney(amount, balance.asset)
}

const MAX_SHOWN = 6

const drawRecords = (records: Result['records'][number], side: Side): Html => html`
  <b>${records[side]}</b>
  ${records.different.slice(0, MAX_SHOWN).map((pair) => {
    const [own, its] = [pair[side], pair[side === 'a' ? 'b' : 'a']]
    const fields = its ? drawFields([...findDifferences(own, its)]) : 'only here'
    return own && html`<div>${String(own.id)} ${fields}</div>`
  })}`

/** Equal requests in a row are one line. */
const drawRequests = (requests: Result['requests']): Html => {
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
      rows.push(
        drawRow(isFirst ? 'callout bad' : 'callout', name, drawRequest(a, b), drawRequest(b, a)),
      )
      isFirst = false
    }
  }
  return rows
}

const nameRequest = (it: ComparedRequest | null | undefined): string =>
  it?.operation ?? `${it?.method} ${it?.path}`

const drawRequest = (own: ComparedRequest | null, its: ComparedRequest | null): Html => {
  if (!own) return html`<span class="note">none</span>`
  const { amount, currency } = Object(own.request) as { amount?: unknown; currency?: unknown }
  const money = typeof amount === 'string' && formatMoney(amount, String(currency))
  // A response differs with its request, so it counts only if the requests are alike.
  const asked = [...findDifferences(own.request, its?.request)]
  const isAnswerShown = asked.length === 0 && own.status === its?.status
  const fields = isAnswerShown ? [...findDifferences(own.response, its.response)] : asked
  return html`${nameRequest(own)} ${money} ${drawCode(own.status)}
    ${own.fault && html`<div class="note">by the rule ${own.fault}</div>`}
    ${its && drawFields(fields)}`
}

type Difference = readonly [path: string, value: unknown]

const drawFields = (fields: readonly Difference[]): Html =>
  fields
    .slice(0, MAX_SHOWN)
    .map(([path, value]) => html`<div class="note">${path} <bdi>${String(value)}</bdi></div>`)

/** The values of one side that the other has otherwise. */
function* findDifferences(own: unknown, its: unknown, path = ''): Generator<Difference> {
  if (JSON.stringify(own) === JSON.stringify(its)) return
  if (typeof own !== 'object' || own === null) return yield [path, own]
  for (const [name, value] of Object.entries(own)) {
    yield* findDifferences(value, Object(its)[name], path === '' ? name : `${path}.${name}`)
  }
}
