import type { Child } from 'hono/jsx'
import { describeEntry, nameRule } from '../../history/describe-entry.js'
import type { WhyEntry } from '../../history/explain.js'
import { findCreatorBefore } from '../../history/repeats.js'
import type { Cause, DomainEvent, Entry, RuleStep } from '../../kernel/entry.js'
import { isUuid } from '../../lib/text.js'
import { escapeBidi } from '../format.js'
import type { PageContext } from '../page-context.js'
import { Id, IdLink, shortId } from './id.js'
import { NamedRule, RuleLink } from './rule-link.js'
import { Time } from './time.js'

const UUID = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/

/** Shortens ids, and links to the request and the rules that the sentence names. */
export const Sentence = ({
  ctx,
  sentence,
  cause,
  events = [],
}: {
  ctx: PageContext
  sentence: string
  cause?: Cause
  events?: readonly DomainEvent[]
}) => {
  const rules = events.flatMap((event) => event.cause ?? [])
  const steps = cause?.kind === 'timer' ? [cause, ...rules] : rules
  const logged = cause?.kind === 'request' || cause?.kind === 'read' ? cause.request : undefined
  const parts = escapeBidi(sentence).split(UUID)
  return (
    <>
      {parts.map((part, i): Child => {
        if (i % 2 === 0) return <RuleLinks ctx={ctx} text={part} steps={steps} />
        const isRepeated = parts[i - 1]?.endsWith(' as request ')
        if (part !== logged && !isRepeated) return <Id id={part} />
        return (
          <a href={ctx.href(`/requests/${part}`)} title={part}>
            {shortId(part)}
          </a>
        )
      })}
    </>
  )
}

/** A fired rule, such as `flaky-gateway/1 (flaky-gateway.yaml:14)`. */
const FIRED = /([\w-]+\/\d+)(?= \([^()\s]+:\d+\))/

/** Links the rules of `steps` and a fired rule to their lines. */
const RuleLinks = ({
  ctx,
  text,
  steps: [step, ...others],
}: {
  ctx: PageContext
  text: string
  steps: readonly RuleStep[]
}): Child => {
  if (!step) {
    const parts = text.split(FIRED)
    return <>{parts.map((it, i) => (i % 2 === 0 ? it : <NamedRule ctx={ctx} name={it} />))}</>
  }
  const name = nameRule(step)
  const at = text.lastIndexOf(name)
  if (at < 0) return <RuleLinks ctx={ctx} text={text} steps={others} />
  return (
    <>
      <RuleLinks ctx={ctx} text={text.slice(0, at)} steps={others} />
      <RuleLink ctx={ctx} scenario={step.scenario} rule={step.rule}>
        {name}
      </RuleLink>
      <RuleLinks ctx={ctx} text={text.slice(at + name.length)} steps={others} />
    </>
  )
}

const PAGES: Readonly<Record<string, string>> = {
  transfer: '/transfers',
  payout: '/payouts',
  user: '/users',
  balance: '/users',
}

/** The record of the first event, or the record that a refused command named. */
const Subject = ({ ctx, entry }: { ctx: PageContext; entry: Entry }) => {
  const [event] = entry.events
  const [noun = ''] = (event?.type ?? entry.command).split('.')
  const id = event?.id ?? (entry.input as { id?: unknown } | undefined)?.id
  if (!isUuid(id)) return <span class="noun">{noun}</span>
  const page = PAGES[noun]
  return (
    <>
      <span class="noun">{noun}</span>{' '}
      {page ? (
        <IdLink id={id} to={ctx.href(`${page}/${id}`)} />
      ) : (
        <Id id={id} what={`id of ${noun}`} />
      )}
    </>
  )
}

const eventsOfFirstRecord = ({ events }: Entry) => events.filter(({ id }) => id === events[0]?.id)

const describe = ({ live }: PageContext, entry: Entry): string =>
  describeEntry(entry, eventsOfFirstRecord(entry), findCreatorBefore(live.journal, entry.seq))

const EntryLine = ({
  ctx,
  entry: { seq, at, refused },
  children,
}: {
  ctx: PageContext
  entry: Pick<Entry, 'seq' | 'at' | 'refused'>
  children: Child
}) => (
  <li class={refused ? 'refused' : undefined}>
    <span class="when">
      <Time ctx={ctx} at={at} machine_ms={ctx.live.journal.machineTimeOf(seq)} />{' '}
      <span class="seq" title={`entry ${seq} of the journal`}>
        #{seq}
      </span>
    </span>
    <span class="what">{children}</span>
  </li>
)

export const EntryList = ({
  ctx,
  entries,
  lead,
}: {
  ctx: PageContext
  entries: readonly Entry[]
  /** Precedes the sentence of an entry. */
  lead?: (entry: Entry) => Child
}) => (
  <ol class="entries">
    {entries.map((entry) => (
      <EntryLine ctx={ctx} entry={entry}>
        {lead?.(entry)}
        <Subject ctx={ctx} entry={entry} />{' '}
        <Sentence
          ctx={ctx}
          sentence={describe(ctx, entry)}
          cause={entry.cause}
          events={entry.events}
        />
      </EntryLine>
    ))}
  </ol>
)

export const WhyList = ({ ctx, steps }: { ctx: PageContext; steps: readonly WhyEntry[] }) => (
  <ol class="entries">
    {steps.map((step) => (
      <EntryLine ctx={ctx} entry={step}>
        <Sentence ctx={ctx} sentence={step.sentence} cause={step.cause} events={step.events} />
        {step.because === null ? null : <span class="quiet"> (set by #{step.because})</span>}
      </EntryLine>
    ))}
  </ol>
)
