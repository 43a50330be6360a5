import { findCauses, type Noun, type Why } from '../../history/explain.js'
import type { PageContext } from '../page-context.js'
import { WhyList } from './entry-line.js'
import { Panel } from './panel.js'
import { Time } from './time.js'

export const explainRecord = ({ live }: PageContext, noun: Noun, id: string): Why =>
  findCauses(live.journal.all(), live.beginning, noun, id, live.world.now)

/** The causal chain of a record. */
export const WhyPanel = ({ ctx, answer }: { ctx: PageContext; answer: Why }) => (
  <Panel title="Why">
    <WhyList ctx={ctx} steps={answer.entries} />
    {answer.complete ? null : (
      <p class="quiet">
        The journal no longer holds entries before <Time ctx={ctx} at={answer.begins_at} whole />.
      </p>
    )}
  </Panel>
)

/** Maps the world time of each entry to its machine time. */
export const machineTimes = (
  { live }: PageContext,
  { entries }: Why,
): ReadonlyMap<string, number> =>
  new Map(
    entries.flatMap(({ seq, at }) => {
      const machine_ms = live.journal.machineTimeOf(seq)
      return machine_ms === undefined ? [] : [[at, machine_ms] as const]
    }),
  )
