import { toIso } from '../../kernel/time.js'
import type { PageContext } from '../page-context.js'
import type { Planned } from '../planned-moves.js'
import { LongName } from './id.js'
import { RuleLink } from './rule-link.js'
import { readsInWords, Time } from './time.js'

export interface StatusTimelineProps {
  readonly ctx: PageContext
  readonly happyPath: readonly string[]
  readonly status: string
  readonly reached: Readonly<Record<string, string | undefined>>
  readonly planned: readonly Planned[]
  readonly machineTimes: ReadonlyMap<string, number>
}

/** Draws past, current and planned statuses as stations on a line. */
export const StatusTimeline = (props: StatusTimelineProps) => {
  const { ctx, status, planned, machineTimes } = props
  return (
    <ol class="track" aria-label="Lifecycle">
      {listSteps(props).map(({ name, at }) => {
        const plan = at ? undefined : planned.find(({ to }) => to === name)
        const state = name === status ? 'now' : at ? 'past' : plan ? 'planned' : 'open'
        return (
          <li
            class={`${state}${isBad(name) ? ' bad' : ''}`}
            aria-current={name === status ? 'step' : undefined}
          >
            <span class="station">
              <LongName name={name} />
            </span>
            <span class="at">
              {at ? (
                <Time ctx={ctx} at={at} machine_ms={machineTimes.get(at)} />
              ) : (
                <PlanInWords ctx={ctx} plan={plan} />
              )}
            </span>
          </li>
        )
      })}
    </ol>
  )
}

const isBad = (status: string): boolean => /FAILED|CANCELLED/.test(status)

/** A bad end, reached or planned, follows the last status before it: the rest of the way is left out. */
const listSteps = ({ happyPath, status, reached, planned }: StatusTimelineProps) => {
  const moves = planned.map(({ to }) => to)
  const end = isBad(status) ? status : moves.find(isBad)
  const before = isBad(status) ? [] : moves.slice(0, moves.findIndex(isBad))
  const passed = happyPath.filter((name) => !end || reached[name] || before.includes(name))
  return [...passed, ...(end ? [end] : [])].map((name) => ({ name, at: reached[name] }))
}

const PlanInWords = ({ ctx, plan }: { ctx: PageContext; plan: Planned | undefined }) => {
  if (!plan) return <span class="quiet">not planned</span>
  const { at, reads, rule, scenario } = plan
  return (
    <>
      {at !== undefined ? <Time ctx={ctx} at={toIso(at)} /> : reads ? readsInWords(reads) : 'then'}{' '}
      <RuleLink ctx={ctx} scenario={scenario} rule={rule} kind="rule" />
    </>
  )
}
