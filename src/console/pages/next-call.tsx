import { fullName } from '../../domain/users.js'
import { toApiError } from '../../http/operation/api-error.js'
import { parseNextCall } from '../../scenarios/language/next-call.js'
import { operationIds } from '../../scenarios/language/operations.js'
import { parseField } from '../actions.js'
import { ActionButton, type Choice, Choices, Form } from '../components/form.js'
import { Json } from '../components/json.js'
import { isSameStep, nextCallSentence, nextOutcomes, type Outcome } from '../control-sentences.js'
import { escapeBidi } from '../format.js'
import type { PageContext } from '../page-context.js'

/** The fields of the form, as its address or a rejected form has them. Empty ones are any. */
type Draft = Readonly<Record<'operation' | 'user_id' | 'times' | 'then', string>>

const readDraft = ({ query, sent }: PageContext): Draft => {
  const isSent = sent?.operation === 'armNextCall'
  const read = (name: keyof Draft, otherwise: string) =>
    isSent ? (sent.values[name] ?? '') : (query.getAll(name).findLast(Boolean) ?? otherwise)
  const operation = query.get('operation') ?? read('operation', 'createPayout')
  return {
    operation: isSent ? read('operation', '') : operation,
    user_id: read('user_id', ''),
    times: read('times', '1'),
    then: read('then', JSON.stringify(nextOutcomes(operation).wire[0]?.then)),
  }
}

/** The scenario file of the form, or the reason why it has none. */
const writeDraft = async (draft: Draft): Promise<string> => {
  const fields = Object.entries(draft).filter(([, text]) => text !== '')
  try {
    const body = Object.fromEntries(fields.map(([name, text]) => [name, parseField([text])]))
    return (await parseNextCall(body)).yaml
  } catch (error) {
    const known = toApiError(error)
    if (!known) throw error
    return `# ${known.message}`
  }
}

const TIMES = [
  ['1', 'once'],
  ['3', '3 times'],
  ['always', 'always'],
] as const

const MAX_USERS = 200

export const armedCalls = ({ tables }: PageContext) => tables.next_calls.list('armed', '')

export const drawNextCall = async (ctx: PageContext) => {
  const draft = readDraft(ctx)
  const { wire, world } = nextOutcomes(draft.operation)
  const step = parseField([draft.then])
  const known = [...wire, ...world].find(({ then }) => isSameStep(then, Object(step)))
  const chosen = known ? JSON.stringify(known.then) : ''
  const yaml = await writeDraft(draft)
  // The choices and the file follow the fields. Without a script, a button redraws them.
  const preview = {
    'hx-get': ctx.href('/control'),
    'hx-include': 'closest form',
    'hx-trigger': 'change',
    'hx-target': '#next-parts',
    'hx-select': '#next-parts',
    'hx-swap': 'outerHTML',
    'hx-disabled-elt': 'unset',
  }
  return (
    <section id="next">
      <header>
        <h2>Next call</h2>
        <small>Once, or until you disarm it. Nothing else changes.</small>
      </header>
      <Form ctx={ctx} operation="armNextCall" kind="card" label="Next call">
        <div class="row" {...preview}>
          <span>The next</span>
          <Select
            name="operation"
            label="Operation"
            value={draft.operation}
            options={[...operationIds.map((it) => [it, it] as const), ['', 'any call']]}
          />
          <span>of</span>
          <Select
            name="user_id"
            label="User"
            value={draft.user_id}
            options={[['', 'any user'], ...listUsers(ctx)]}
          />
          <Select name="times" label="How often" value={draft.times} options={TIMES} />
        </div>
        <div id="next-parts" {...preview}>
          <div class="two">
            <Choices
              id="wire"
              name="then"
              legend="On the wire"
              choices={wire.map(toChoice)}
              chosen={chosen}
            />
            {world.length > 0 ? (
              <Choices
                id="world"
                name="then"
                legend="In the world"
                choices={world.map(toChoice)}
                chosen={chosen}
              />
            ) : null}
          </div>
          <details open={!known}>
            <summary>A step of your own…</summary>
            <p class="field">
              <label for="next-step">
                One step of a scenario, as JSON. It replaces the choice.
              </label>
              <textarea
                id="next-step"
                name="then"
                placeholder={'{"respond": {"status": 418, "body": {"tea": true}}}'}
              >
                {known ? '' : draft.then}
              </textarea>
            </p>
          </details>
          <Json text={yaml} label="A scenario file that does the same" />
        </div>
        <div class="row">
          <button type="submit" class="main">
            Set for the next call
          </button>
          <noscript>
            <button type="submit" formmethod="get" formaction={ctx.href('/control')}>
              Show its choices and file
            </button>
          </noscript>
          <button type="button" data-copy={yaml} class="wide">
            Copy YAML
          </button>
          <span class="note wide">POST /_sandbox/next does the same</span>
        </div>
      </Form>
      <Armed ctx={ctx} />
    </section>
  )
}

const toChoice = ({ then, text, note }: Outcome): Choice => ({
  value: JSON.stringify(then),
  text,
  note,
})

const listUsers = ({ tables }: PageContext) =>
  tables.users
    .page('all', '', 0, MAX_USERS)
    .map((user) => [user.id, escapeBidi(fullName(user))] as const)

const Select = ({
  name,
  label,
  value,
  options,
}: {
  name: string
  label: string
  value: string
  options: readonly (readonly [value: string, text: string])[]
}) => (
  <select name={name} id={`next-${name}`} aria-label={label}>
    {options.map(([one, text]) => (
      <option value={one} selected={one === value}>
        {text}
      </option>
    ))}
  </select>
)

const Armed = ({ ctx }: { ctx: PageContext }) => (
  <>
    {armedCalls(ctx).map((call) => (
      <div class="row">
        <span class="mark pending" title={call.yaml}>
          Waits: {escapeBidi(nextCallSentence(ctx.tables, call))}
        </span>
        <ActionButton ctx={ctx} operation="disarmNextCall" given={{ id: call.id }} kind="quiet">
          Disarm
        </ActionButton>
      </div>
    ))}
  </>
)
