import { isoTime } from '../world/kernel/time.js'
import { LongName } from './long-name.js'
import { RuleLink } from './rule-link.js'
import { readsInWords, Time } from './time.js'
import type { Planned } from './timers.js'
import type { View } from './view.js'

export interface TrackProps {
  readonly view: View
  /** The statuses of a life in which nothing goes wrong. */
  readonly way: readonly string[]
  readonly status: string
  readonly reached: Readonly<Record<string, string | undefined>>
  readonly planned: readonly Planned[]
  readonly made: ReadonlyMap<string, number>
}

/** A record's life as a line of stations: those behind it, the one that it is in, those before it. */
export const Track = (props: TrackProps) => {
  const { view, status, planned, made } = props
  return (
    <ol class="track" aria-label="Lifecycle">
      {stationsOf(props).map(({ name, at }) => {
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
                <Time view={view} at={at} made={made.get(at)} />
              ) : (
                <PlanInWords view={view} plan={plan} />
              )}
            </span>
          </li>
        )
      })}
    </ol>
  )
}

const isBad = (status: string): boolean => /FAILED|CANCELLED/.test(status)

/** Stations in the order of the journey: one that ended badly goes no further. */
const stationsOf = ({ way, status, reached, planned }: TrackProps) => {
  const ended = isBad(status)
  const passed = way.filter((name) => !ended || reached[name])
  const plannedEnd = planned.find(({ to }) => isBad(to))?.to
  const last = ended ? [status] : plannedEnd ? [plannedEnd] : []
  return [...passed, ...last].map((name) => ({ name, at: reached[name] }))
}

const PlanInWords = ({ view, plan }: { view: View; plan: Planned | undefined }) => {
  if (!plan) return <span class="quiet">not planned</span>
  const { at, reads, rule, scenario } = plan
  return (
    <>
      {at !== undefined ? (
        <Time view={view} at={isoTime(at)} />
      ) : reads ? (
        readsInWords(reads)
      ) : (
        'then'
      )}{' '}
      <RuleLink view={view} scenario={scenario} rule={rule} kind="rule" />
    </>
  )
}
