import { type Noun, type Why, why } from '../journal/why.js'
import { WhyList } from './entry-line.js'
import { Panel } from './parts.js'
import { Time } from './time.js'
import type { View } from './view.js'

export const whyOf = ({ line }: View, noun: Noun, id: string): Why =>
  why(line.journal.after(0), line.beginning, noun, id, line.world.now)

/** The causal chain of a record. */
export const WhyPanel = ({ view, answer }: { view: View; answer: Why }) => (
  <Panel title="Why">
    <WhyList view={view} steps={answer.entries} />
    {answer.complete ? null : (
      <p class="quiet">
        What was before <Time view={view} at={answer.begins_at} whole /> is kept no more.
      </p>
    )}
  </Panel>
)

/** For each time at which something happened to a record, the machine's time then. */
export const madeTimes = ({ line }: View, { entries }: Why): ReadonlyMap<string, number> =>
  new Map(
    entries.flatMap(({ seq, at }) => {
      const made = line.journal.madeAt(seq)
      return made === undefined ? [] : [[at, made] as const]
    }),
  )
