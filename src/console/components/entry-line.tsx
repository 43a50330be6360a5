import type { Child } from 'hono/jsx'
import { describeEntry, nameRule } from '../../journal/describe-entry.js'
import type { WhyEntry } from '../../journal/explain.js'
import { findCreatorBefore } from '../../journal/repeats.js'
import type { Cause, DomainEvent, Entry, RuleStep } from '../../kernel/entry.js'
import { escapeBidi } from '../format.js'
import type { PageContext } from '../page-context.js'
import { Id, IdLink, shortId } from './id.js'
import { NamedRule, RuleLink } from './rule-link.js'
import { Time } from './time.js'

const UUID = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/

/** A sentence in which ids are short, and the request that it names is a link. */
export const Told = ({
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
        if (i % 2 === 0) return <RuleTold ctx={ctx} text={part} steps={steps} />
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

/** The rule that fired, as sentences write it: `flaky-gateway/1 (flaky-gateway.yaml:14)`. */
const FIRED = /([\w-]+\/\d+)(?= \([^()\s]+:\d+\))/

/** The rules of steps, and the rule that stepped in, lead to their lines. */
const RuleTold = ({
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
  if (at < 0) return <RuleTold ctx={ctx} text={text} steps={others} />
  return (
    <>
      <RuleTold ctx={ctx} text={text.slice(0, at)} steps={others} />
      <RuleLink ctx={ctx} scenario={step.scenario} rule={step.rule}>
        {name}
      </RuleLink>
      <RuleTold ctx={ctx} text={text.slice(at + name.length)} steps={others} />
    </>
  )
}

const PAGES: Readonly<Record<string, string>> = {
  transfer: '/transfers',
  payout: '/payouts',
  user: '/users',
  balance: '/users',
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The record of the first event, or the record that a refused command named. */
const Subject = ({ ctx, entry }: { ctx: PageContext; entry: Entry }) => {
  const [event] = entry.events
  const [noun = ''] = (event?.type ?? entry.command).split('.')
  const id = event?.id ?? (entry.input as { id?: unknown } | undefined)?.id
  if (typeof id !== 'string' || !ID.test(id)) return <span class="noun">{noun}</span>
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

/** The events about the record of the first event. */
const listFacts = ({ events }: Entry) => events.filter(({ id }) => id === events[0]?.id)

const sentenceIn = ({ live }: PageContext, entry: Entry): string =>
  describeEntry(entry, listFacts(entry), findCreatorBefore(live.journal, entry.seq))

/** Entries of the journal in words. */
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
      <li class={entry.refused ? 'refused' : undefined}>
        <span class="when">
          <Time ctx={ctx} at={entry.at} machine_ms={ctx.live.journal.machineTimeOf(entry.seq)} />{' '}
          <span class="seq" title={`entry ${entry.seq} of the journal`}>
            #{entry.seq}
          </span>
        </span>
        <span class="what">
          {lead?.(entry)}
          <Subject ctx={ctx} entry={entry} />{' '}
          <Told
            ctx={ctx}
            sentence={sentenceIn(ctx, entry)}
            cause={entry.cause}
            events={entry.events}
          />
        </span>
      </li>
    ))}
  </ol>
)

/** The entries that made a record what it is. */
export const WhyList = ({ ctx, steps }: { ctx: PageContext; steps: readonly WhyEntry[] }) => (
  <ol class="entries">
    {steps.map((step) => (
      <li class={step.refused ? 'refused' : undefined}>
        <span class="when">
          <Time ctx={ctx} at={step.at} machine_ms={ctx.live.journal.machineTimeOf(step.seq)} />{' '}
          <span class="seq" title={`entry ${step.seq} of the journal`}>
            #{step.seq}
          </span>
        </span>
        <span class="what">
          <Told ctx={ctx} sentence={step.sentence} cause={step.cause} events={step.events} />
          {step.because === null ? null : <span class="quiet"> (set by #{step.because})</span>}
        </span>
      </li>
    ))}
  </ol>
)
