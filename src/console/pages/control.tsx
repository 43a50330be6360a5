import { readClockSetting } from '../../domain/clock.js'
import { activeNames } from '../../scenarios/evaluate/compiled-rules.js'
import { Head } from '../components/head.js'
import { controlSentence, nextCallSentence } from '../control-sentences.js'
import type { DrawPage } from '../page-context.js'
import { armedCalls, drawNextCall } from './next-call.js'
import { Scenarios } from './scenarios.js'
import { TimeLine } from './time.js'

export const controlPage: DrawPage = async (ctx) => {
  const { tables, world } = ctx
  const sentence = controlSentence({
    calls: armedCalls(ctx).map((it) => nextCallSentence(tables, it)),
    scenarios: activeNames(tables).length,
    speed: readClockSetting(tables).speed,
    planned: tables.timers.size,
    nextDue: world.nextDue,
    now: world.now,
  })
  return {
    title: 'Faults and time',
    body: (
      <>
        <Head ctx={ctx} title="Faults and time" sentence={sentence} />
        <div class="columns even">
          <div>
            {await drawNextCall(ctx)}
            <Scenarios ctx={ctx} />
          </div>
          <TimeLine ctx={ctx} />
        </div>
      </>
    ),
  }
}
