import type { Child } from 'hono/jsx'
import type { Comparison, Pair } from '../../history/compare-worlds.js'
import type { Operation } from '../../http/operation/operation.js'
import { Empty } from '../components/empty.js'
import { Text, Time } from '../components/links.js'
import { Code } from '../components/status.js'
import { compareSentence } from '../control-sentences.js'
import { escapeBidi, formatMoney } from '../format.js'
import { type DrawPage, type Page, type PageContext, worldPath } from '../page-context.js'

interface Side {
  readonly id: string
  readonly name: string | null
}

interface Result extends Comparison {
  readonly a: Side
  readonly b: Side
  readonly first: { readonly kind: 'setup' | 'request' | 'record' | 'balance' } | null
  readonly now: { readonly a: string; readonly b: string }
}

const compare = async ({ sandbox, scope, findOperation }: PageContext, a: string, b: string) => {
  const call = { sandbox, scope, query: { a, b } }
  const reply = await findOperation('compareWorlds')?.handle(
    call as unknown as Parameters<Operation['handle']>[0],
  )
  return (reply as { readonly body: Result }).body
}

/** Two ticked boxes have one name, so `?a=&a=` works as `?a=&b=` does. */
export const comparePage: DrawPage = async (ctx): Promise<Page> => {
  const [a, b] = [...ctx.query.getAll('a'), ...ctx.query.getAll('b')]
  const title = 'Where two worlds part'
  if (!a || !b) {
    return {
      title,
      body: (
        <>
          <h1>{title}</h1>
          <Empty>
            Tick two worlds in the <a href={ctx.href('/worlds')}>list of worlds</a>.
          </Empty>
        </>
      ),
    }
  }
  const result = await compare(ctx, a, b)
  const first = result.requests.find(({ same }) => !same)
  const made = (side: 'a' | 'b') => result.requests.filter((it) => it[side] !== null).length
  const prose = compareSentence(result.first?.kind, first?.n ?? 0, [made('a'), made('b')])
  return {
    title,
    body: (
      <>
        <div class="head">
          <div>
            <p class="note">
              <a href={ctx.href('/worlds')}>Worlds</a> · compare
            </p>
            <h1>{title}</h1>
            <p class="sentence">
              <Text ctx={ctx} prose={prose} />
            </p>
          </div>
          <a class="button" href={ctx.href(`/worlds/compare?a=${b}&b=${a}`)}>
            Swap
          </a>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
        <section class="scroll" tabindex={0} aria-label="Comparison">
          <table class="compare">
            <thead>
              <tr>
                <th scope="col">
                  <span class="unseen">Part</span>
                </th>
                <WorldHeader letter="A" side={result.a} />
                <WorldHeader letter="B" side={result.b} />
              </tr>
            </thead>
            <tbody>
              <Setup setup={result.setup} />
              <Requests requests={result.requests} />
              <Records records={result.records} />
              <Balances balances={result.balances} />
              <Rows name="Time" kind={result.now.a === result.now.b ? undefined : 'differs'}>
                <Time ctx={ctx} at={result.now.a} />
                <Time ctx={ctx} at={result.now.b} />
              </Rows>
            </tbody>
          </table>
        </section>
      </>
    ),
  }
}

const WorldHeader = ({ letter, side: { id, name } }: { letter: string; side: Side }) => {
  const isDefault = id === 'default'
  return (
    <th scope="col">
      {letter} ·{' '}
      <a href={worldPath(isDefault ? undefined : id, '/')}>
        <bdi>{name ?? (isDefault ? 'Default world' : `World ${id.slice(0, 8)}`)}</bdi>
      </a>
    </th>
  )
}

/** One row: a cell for each world, or one for both. */
const Rows = ({
  name,
  kind,
  children,
}: {
  name: string
  kind?: 'differs' | 'bad' | undefined
  children: Child
}) => {
  const cells = [children].flat()
  return (
    <tr class={kind}>
      <th scope="row">{name}</th>
      {cells.map((it) => (
        <td colspan={cells.length === 1 ? 2 : undefined} class={kind ? undefined : 'note'}>
          {it}
        </td>
      ))}
    </tr>
  )
}

const Heading = ({ text }: { text: string }) => (
  <tr>
    <th colspan={3} scope="rowgroup" class="note">
      {text}
    </th>
  </tr>
)

const Same = ({ names, what = '' }: { names: readonly string[]; what?: string }) =>
  names.length === 0 ? null : <Rows name={names.join(', ')}>{`the same${what}`}</Rows>

const differs = ({ same }: { readonly same: boolean }) => !same
const isSame = ({ same }: { readonly same: boolean }) => same

const Setup = ({ setup }: Pick<Result, 'setup'>) => (
  <>
    <Heading text="Set-up" />
    {setup.filter(differs).map((it) => (
      <Rows name={it.what} kind="differs">
        <Value of={it.a} />
        <Value of={it.b} />
      </Rows>
    ))}
    <Same names={setup.filter(isSame).map(({ what }) => what)} />
  </>
)

const Value = ({ of }: { of: unknown }) => {
  const text = Array.isArray(of) && of.every((it) => typeof it === 'string') ? of.join(', ') : of
  return <bdi>{escapeBidi(typeof text === 'string' ? text || 'none' : JSON.stringify(text))}</bdi>
}

type Request = NonNullable<Result['requests'][number]['a']>

/** Equal requests in a row are one line. */
const Requests = ({ requests }: Pick<Result, 'requests'>) => {
  const first = requests.find(differs)
  const runs: Result['requests'][number][][] = []
  for (const it of requests) {
    if (it.same && runs.at(-1)?.[0]?.same) runs.at(-1)?.push(it)
    else runs.push([it])
  }
  return (
    <>
      <Heading text={requests.length === 0 ? 'No requests' : 'Requests, side by side'} />
      {runs.map(([it, ...more]) => {
        if (!it) return null
        const last = more.at(-1)
        const operations = new Set([it, ...more].map(({ a }) => a?.operation ?? a?.path))
        if (it.same)
          return (
            <Same
              names={[last ? `${it.n} to ${last.n}` : String(it.n)]}
              what={`: ${[...operations].join(', ')}`}
            />
          )
        return (
          <Rows
            name={it === first ? `${it.n}, here they part` : String(it.n)}
            kind={it === first ? 'bad' : 'differs'}
          >
            <RequestCell one={it.a} other={it.b} />
            <RequestCell one={it.b} other={it.a} />
          </Rows>
        )
      })}
    </>
  )
}

const RequestCell = ({ one, other }: { one: Request | null; other: Request | null }) => {
  if (!one) return <span class="note">none</span>
  const { operation, method, path, status, fault } = one
  const { amount, currency } = Object(one.request) as { amount?: unknown; currency?: unknown }
  const money = typeof amount === 'string' ? ` ${formatMoney(amount, String(currency ?? ''))}` : ''
  return (
    <>
      {escapeBidi(`${operation ?? `${method} ${path}`}${money}`)} <Code status={status} />
      {fault ? <div class="note">{escapeBidi(`Rule ${fault}`)}</div> : null}
      {other ? <Fields one={{ ...one, fault: null }} other={{ ...other, fault: null }} /> : null}
    </>
  )
}

const MAX_FIELDS = 6

/** The fields of one side that the other lacks or has otherwise. */
const Fields = ({ one, other }: { one: unknown; other: unknown }) => (
  <>
    {[...differentFields(one, other)].slice(0, MAX_FIELDS).map(([path, value]) => (
      <div class="note">
        {escapeBidi(path)} <bdi>{escapeBidi(String(value))}</bdi>
      </div>
    ))}
  </>
)

function* differentFields(
  one: unknown,
  other: unknown,
  path = '',
): Generator<readonly [path: string, value: unknown]> {
  if (JSON.stringify(one) === JSON.stringify(other)) return
  if (typeof one !== 'object' || one === null) yield [path, one]
  else
    for (const [name, value] of Object.entries(one)) {
      yield* differentFields(value, Object(other)[name], path === '' ? name : `${path}.${name}`)
    }
}

const Records = ({ records }: Pick<Result, 'records'>) => (
  <>
    <Heading text="Records" />
    {records.filter(differs).map(({ noun, a, b, different }) => (
      <Rows name={noun.replaceAll('_', ' ')} kind="differs">
        <RecordsCell count={a} different={different} of={(it) => [it.a, it.b]} />
        <RecordsCell count={b} different={different} of={(it) => [it.b, it.a]} />
      </Rows>
    ))}
    <Same names={records.filter(isSame).map(({ noun }) => noun.replaceAll('_', ' '))} />
  </>
)

type RecordPair = Result['records'][number]['different'][number]

const MAX_RECORDS = 5

const RecordsCell = ({
  count,
  different,
  of,
}: {
  count: number | null
  different: readonly RecordPair[]
  of: (pair: RecordPair) => readonly [own: RecordPair['a'], other: RecordPair['a']]
}) => (
  <>
    <b>{count}</b>
    {different.slice(0, MAX_RECORDS).map((pair) => {
      const [own, other] = of(pair)
      if (!own) return null
      return (
        <div>
          {escapeBidi(String(own.id))}
          {other ? <Fields one={own} other={other} /> : <span class="note"> only here</span>}
        </div>
      )
    })}
  </>
)

const Balances = ({ balances }: Pick<Result, 'balances'>) => {
  const same = balances.filter(isSame).length
  const show = (amount: string | null, asset: string) =>
    amount === null ? <span class="note">none</span> : formatMoney(amount, asset)
  return (
    <>
      <Heading text="Money" />
      {balances
        .filter(differs)
        .map(({ of, asset, a, b }: { of: string; asset: string } & Pair<string>) => (
          <Rows name={`${of}, ${asset}`} kind="differs">
            {show(a, asset)}
            {show(b, asset)}
          </Rows>
        ))}
      <Same names={same === 0 ? [] : [`${same} other balances`]} />
    </>
  )
}
