import type { Child } from 'hono/jsx'
import type { Noun } from '../../history/explain.js'
import type { Operation } from '../../http/operation/operation.js'
import { DEFAULT_WORLD } from '../../lib/secrets.js'
import { Empty } from '../components/empty.js'
import { Head } from '../components/head.js'
import { Time } from '../components/links.js'
import { Code } from '../components/status.js'
import { compareSentence } from '../control-sentences.js'
import { capitalize, escapeBidi, formatMoney } from '../format.js'
import { type DrawPage, type PageContext, worldPath } from '../page-context.js'

/** One thing in both worlds; null where there is none. */
interface Pair<T> {
  readonly a: T | null
  readonly b: T | null
  readonly same: boolean
}

interface ComparedRequest {
  readonly method: string
  readonly path: string
  readonly operation: string | null
  readonly status: number | null
  readonly fault: string | null
  readonly request: unknown
  readonly response: unknown
}

/** The answer of the control operation. */
interface Result {
  readonly a: { readonly id: string; readonly name: string | null }
  readonly b: Result['a']
  readonly setup: readonly (Pair<unknown> & { readonly what: string })[]
  readonly requests: readonly (Pair<ComparedRequest> & { readonly n: number })[]
  readonly records: readonly (Pair<number> & {
    readonly noun: Noun
    readonly different: readonly Pair<Readonly<Record<string, unknown>>>[]
  })[]
  readonly balances: readonly (Pair<string> & { readonly of: string; readonly asset: string })[]
  readonly first: { readonly kind: 'setup' | 'request' | 'record' | 'balance' } | null
  readonly now: { readonly a: string; readonly b: string }
}

const compare = async ({ sandbox, scope, findOperation }: PageContext, a: string, b: string) => {
  const call = { sandbox, scope, query: { a, b } } as unknown as Parameters<Operation['handle']>[0]
  const reply = await findOperation('compareWorlds')?.handle(call)
  return (reply as { readonly body: Result }).body
}

/** One line of the table. Without `b`, it is about both worlds, and without `a` it is a heading. */
interface Line {
  readonly name: string
  readonly kind?: 'differs' | 'bad'
  readonly a?: Child
  readonly b?: Child
}

/** Two ticked boxes have one name, so `?a=&a=` works as `?a=&b=` does. */
export const comparePage: DrawPage = async (ctx) => {
  const [a, b] = [...ctx.query.getAll('a'), ...ctx.query.getAll('b')]
  const title = 'Where two worlds part'
  const list = <a href={ctx.href('/worlds')}>Worlds</a>
  if (!a || !b) return { title, body: <Empty>Tick two worlds in the list: {list}.</Empty> }
  const result = await compare(ctx, a, b)
  const request = result.requests.find(({ same }) => !same)
  const lines: Line[] = [
    { name: 'Set-up' },
    ...compareParts(result.setup, ({ what, a, b }) => ({
      name: capitalize(what),
      a: toText(a),
      b: toText(b),
    })),
    { name: 'Requests, side by side' },
    ...requestLines(result.requests),
    { name: 'Records' },
    ...compareParts(result.records, ({ noun, a, b, different }) => ({
      name: capitalize(noun),
      a: drawRecords(a, different),
      b: drawRecords(
        b,
        different.map((it) => ({ ...it, a: it.b, b: it.a })),
      ),
    })),
    { name: 'Money' },
    ...compareParts(result.balances, ({ of, asset, a, b }) => ({
      name: `${of}, ${asset}`,
      a: a === null ? 'none' : formatMoney(a, asset),
      b: b === null ? 'none' : formatMoney(b, asset),
    })),
    {
      name: 'Time',
      a: <Time ctx={ctx} at={result.now.a} />,
      b: <Time ctx={ctx} at={result.now.b} />,
    },
  ]
  return {
    title,
    body: (
      <>
        <Head
          ctx={ctx}
          above={<>{list} · compare</>}
          title={title}
          sentence={compareSentence(result.first?.kind, request)}
        >
          <a class="button" href={ctx.href(`/worlds/compare?a=${b}&b=${a}`)}>
            Swap
          </a>
        </Head>
        <section class="scroll" tabindex={0} aria-label="Comparison">
          <table class="compare">
            <thead>
              <tr>
                <th scope="col">Part</th>
                <th scope="col">A · {worldLink(result.a)}</th>
                <th scope="col">B · {worldLink(result.b)}</th>
              </tr>
            </thead>
            <tbody>{lines.map(drawLine)}</tbody>
          </table>
        </section>
      </>
    ),
  }
}

const worldLink = ({ id, name }: Result['a']) => {
  const isDefault = id === DEFAULT_WORLD
  return (
    <a href={worldPath(isDefault ? undefined : id, '/')}>
      <bdi>{name ?? (isDefault ? 'Default world' : `World ${id.slice(0, 8)}`)}</bdi>
    </a>
  )
}

const drawLine = ({ name, kind, a, b }: Line) =>
  a === undefined ? (
    <tr>
      <th colspan={3} class="note">
        {name}
      </th>
    </tr>
  ) : (
    <tr class={kind}>
      <th scope="row">{name}</th>
      <td colspan={b === undefined ? 2 : 1}>{a}</td>
      {b === undefined ? null : <td>{b}</td>}
    </tr>
  )

/** Each part that differs, and one line with the names of the others. */
const compareParts = <P extends { readonly same: boolean }>(
  parts: readonly P[],
  describe: (part: P) => Line,
): Line[] => {
  const names = parts.filter(({ same }) => same).map((it) => describe(it).name)
  return [
    ...parts
      .filter(({ same }) => !same)
      .map((it) => ({ ...describe(it), kind: 'differs' as const })),
    ...(names.length === 0 ? [] : [sameLine(names)]),
  ]
}

const MAX_NAMES = 8

const sameLine = (names: readonly string[], text = 'the same'): Line => ({
  name: names.length > MAX_NAMES ? `${names.length} others` : names.join(', '),
  a: <span class="note">{text}</span>,
})

const toText = (value: unknown): Child => {
  const text = Array.isArray(value) && value.every((it) => typeof it === 'string')
  return <bdi>{escapeBidi(text ? value.join(', ') || 'none' : JSON.stringify(value))}</bdi>
}

type Request = NonNullable<Result['requests'][number]['a']>

/** Equal requests in a row are one line. */
const requestLines = (requests: Result['requests']): Line[] => {
  const lines: Line[] = []
  let isFirst = true
  for (let i = 0; i < requests.length; i++) {
    const { n, a, b, same } = requests[i] as Result['requests'][number]
    if (!same) {
      const name = isFirst ? `${n}, here they part` : String(n)
      lines.push({
        name,
        kind: isFirst ? 'bad' : 'differs',
        a: drawRequest(a, b),
        b: drawRequest(b, a),
      })
      isFirst = false
      continue
    }
    const names = new Set([nameRequest(a)])
    while (requests[i + 1]?.same) names.add(nameRequest(requests[++i]?.a))
    lines.push(
      sameLine(
        [i + 1 === n ? String(n) : `${n} to ${i + 1}`],
        `the same: ${[...names].join(', ')}`,
      ),
    )
  }
  return lines
}

const nameRequest = (it: Request | null | undefined): string =>
  escapeBidi(it?.operation ?? `${it?.method} ${it?.path}`)

const drawRequest = (one: Request | null, other: Request | null): Child => {
  if (!one) return <span class="note">none</span>
  const { amount, currency } = Object(one.request) as { amount?: unknown; currency?: unknown }
  const money = typeof amount === 'string' ? ` ${formatMoney(amount, String(currency))}` : ''
  // A response differs with its request, so it counts only if the requests are alike.
  const asked = [...differences(one.request, other?.request)]
  const fields = asked.length > 0 ? asked : [...differences(one.response, other?.response)]
  return (
    <>
      {nameRequest(one)}
      {escapeBidi(money)} <Code status={one.status} />
      {one.fault ? <div class="note">by the rule {escapeBidi(one.fault)}</div> : null}
      {other ? drawFields(one.status === other.status ? fields : asked) : null}
    </>
  )
}

const MAX_SHOWN = 6

const drawFields = (fields: readonly Difference[]): Child =>
  fields.slice(0, MAX_SHOWN).map(([path, value]) => (
    <div class="note">
      {escapeBidi(path)} <bdi>{escapeBidi(String(value))}</bdi>
    </div>
  ))

type Difference = readonly [path: string, value: unknown]

/** The values of one side that the other has otherwise. */
function* differences(one: unknown, other: unknown, path = ''): Generator<Difference> {
  if (JSON.stringify(one) === JSON.stringify(other)) return
  if (typeof one !== 'object' || one === null) return yield [path, one]
  for (const [name, value] of Object.entries(one)) {
    yield* differences(value, Object(other)[name], path === '' ? name : `${path}.${name}`)
  }
}

type Different = Result['records'][number]['different']

const drawRecords = (count: number | null, different: Different): Child => (
  <>
    <b>{count}</b>
    {different.slice(0, MAX_SHOWN).map(({ a, b }) =>
      a === null ? null : (
        <div>
          {String(a.id)} {b ? drawFields([...differences(a, b)]) : 'only here'}
        </div>
      ),
    )}
  </>
)
