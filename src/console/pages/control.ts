import {
  CONTROL_TEXTS,
  controlSentence,
  nextCallSentence,
  nextOutcomes,
  type Outcome,
} from '../../activity/control-sentences.js'
import { readClockSetting } from '../../domain/clock.js'
import { fullName } from '../../domain/users.js'
import { toApiError } from '../../http/operation/api-error.js'
import { activeNames } from '../../scenarios/evaluate/compiled-rules.js'
import { parseNextCall } from '../../scenarios/language/next-call.js'
import { operationIds } from '../../scenarios/language/operations.js'
import { parseField } from '../actions.js'
import { drawButton, drawForm, drawOptions, drawRadioButtons, offer } from '../components/form.js'
import { attributes, type Html, html, verbatim } from '../components/html.js'
import { drawCommand, drawHead } from '../components/parts.js'
import type { DrawPage, PageContext } from '../page-context.js'
import { drawScenarios } from './scenarios.js'
import { drawBack, drawTimeControl } from './time.js'

export const controlPage: DrawPage = async (ctx) => {
  const { tables } = ctx
  const calls = tables.next_calls.list('armed', '')
  const waiting = calls.map((it) => nextCallSentence(tables, it))
  const { speed } = readClockSetting(tables)
  const scenarios = activeNames(tables).length
  const sentence = controlSentence(waiting, scenarios, speed, tables.timers.size, ctx.world)
  return {
    title: 'Faults and time',
    body: html`
      ${drawHead(ctx, { title: 'Faults and time', sentence })}
      ${drawBack(ctx)}
      <div class="columns even">
        <div>
          <section id="next">
            <header>
              <h2>Next call</h2>
              <small>${CONTROL_TEXTS.nextCall}</small>
            </header>
            ${await drawNextCall(ctx)}
            ${calls.map(({ id, yaml }, i) => {
              const disarm = { operation: 'disarmNextCalls', given: { id }, kind: 'quiet' } as const
              return html`
                <div class="row">
                  <span class="mark pending" title="${yaml}">Waits: ${waiting[i]}</span>
                  ${drawButton(ctx, disarm, 'Disarm')}
                </div>`
            })}
          </section>
          ${drawScenarios(ctx)}
        </div>
        ${drawTimeControl(ctx)}
      </div>`,
  }
}

type Draft = Readonly<Record<'operation' | 'user_id' | 'times' | 'then', string>>

const readDraft = ({ query, sent }: PageContext): Draft => {
  const form = sent?.operation === 'armNextCall' ? new URLSearchParams(sent.values) : query
  const given = Object.fromEntries([...form].filter(([, text]) => text !== ''))
  const isNew = form === query && !query.has('operation')
  const operation = given.operation ?? (isNew ? 'createPayout' : '')
  const then = given.then ?? JSON.stringify(nextOutcomes(operation).wire[0]?.[0])
  return { operation, user_id: given.user_id ?? '', times: given.times ?? '1', then }
}

/** The scenario file of the form, or the reason why it has none. */
const writeDraft = async (draft: Draft): Promise<{ yaml?: string; error?: string }> => {
  const fields = Object.entries(draft).filter(([, text]) => text !== '')
  const body = Object.fromEntries(fields.map(([name, text]) => [name, parseField(text)]))
  try {
    return { yaml: (await parseNextCall(body)).yaml }
  } catch (error) {
    const known = toApiError(error)
    if (!known) throw error
    return { error: known.message }
  }
}

const TIMES = Object.entries({ 1: 'once', 3: '3 times', always: 'always' })

/** A sentence of fields. The choices and the file follow them; without a script, a button redraws them. */
const drawNextCall = async (ctx: PageContext): Promise<Html> => {
  const draft = readDraft(ctx)
  const { wire, world } = nextOutcomes(draft.operation)
  const typed = JSON.stringify(parseField(draft.then))
  const known = [...wire, ...world].find(([step]) => JSON.stringify(step) === typed)
  const { yaml, error } = await writeDraft(draft)
  const invalid = error && attributes({ 'aria-invalid': 'true', 'aria-describedby': 'next-error' })
  const redraw = attributes({
    'hx-get': ctx.href('/control'),
    'hx-include': 'closest form',
    'hx-trigger': 'change',
    'hx-target': '#next-parts',
    'hx-select': '#next-parts',
    'hx-swap': 'outerHTML',
    'hx-disabled-elt': 'unset',
  })
  const select = (name: keyof Draft, label: string, options: Parameters<typeof drawOptions>[0]) =>
    html`<select name="${name}" id="next-${name}" aria-label="${label}">${drawOptions(options, draft[name])}</select>`
  const outcomes = (id: string, legend: string, list: readonly Outcome[]) =>
    drawRadioButtons(
      { id, name: 'then', legend, chosen: typed },
      list.map(([step, text, note]) => ({ value: JSON.stringify(step), text, note })),
    )
  const fields = html`
    <div class="row"${redraw}>
      <span>The next</span>
      ${select('operation', 'Operation', [...operationIds, ['', 'any call']])}
      <span>of</span>
      ${select('user_id', 'User', [['', 'any user'], ...offer(ctx.tables.users, fullName)])}
      ${select('times', 'How often', TIMES)}
    </div>
    <div id="next-parts"${redraw}>
      <div class="two">
        ${outcomes('wire', 'On the wire', wire)}
        ${world.length > 0 && outcomes('world', 'In the world', world)}
      </div>
      <details${attributes({ open: !known })}>
        <summary>A step of your own…</summary>
        <p class="field">
          <label for="next-step">${CONTROL_TEXTS.ownStep}</label>
          <textarea id="next-step" name="then"${invalid}
            placeholder="${'{"respond": {"status": 418, "body": {"tea": true}}}'}">${verbatim(known ? '' : draft.then)}</textarea>
        </p>
      </details>
      ${yaml ? drawCommand(yaml) : html`<p class="error" id="next-error">${error}</p>`}
    </div>
    <div class="row">
      <button type="submit" class="main">Set for the next call</button>
      <noscript>
        <button type="submit" formmethod="get" formaction="${ctx.href('/control')}">Show its choices and file</button>
      </noscript>
      <span class="note wide">POST /_sandbox/next does the same</span>
    </div>`
  return drawForm(ctx, { operation: 'armNextCall' }, fields, { kind: 'card', label: 'Next call' })
}
