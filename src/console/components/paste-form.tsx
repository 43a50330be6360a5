import { escapeBidi } from '../format.js'
import type { PageContext } from '../page-context.js'
import { ActionForm, describedBy, Field, PROBLEMS } from './form.js'
import { Panel } from './panel.js'

const EXAMPLE = `name: euro-fails
title: Euro transfers fail
rules:
  - when: transfer.created
    if: { target_currency: EUR }
    then:
      - { after: 5s, move: FAILED, reason: account_closed }
`

/** The pasted text and its errors, or the text of a copy. */
export interface Draft {
  readonly text: string
  readonly problems?: string
  /** Default: true. */
  readonly activate?: boolean
}

export const PasteForm = ({ ctx, draft }: { ctx: PageContext; draft?: Draft }) => (
  <Panel title="Upload a scenario">
    {draft?.problems === undefined ? null : (
      <Problems text={draft.text} problems={draft.problems} />
    )}
    <details open={draft !== undefined}>
      <summary>Paste a file…</summary>
      <ActionForm
        ctx={ctx}
        action="/console/scenarios/post"
        kind="stacked"
        label="Upload a scenario"
      >
        <Field label="Scenario, YAML or JSON" hint="A reset removes it.">
          <textarea name="text" rows={14} required {...describedBy(draft?.problems !== undefined)}>
            {`\n${draft?.text ?? EXAMPLE}`}
          </textarea>
        </Field>
        <label class="check">
          <input type="checkbox" name="activate" value="true" checked={draft?.activate ?? true} />{' '}
          Activate it, before all others
        </label>
        <button type="submit" class="main">
          Upload
        </button>
      </ActionForm>
    </details>
  </Panel>
)

/** A problem names its line and column as `body:3:12: …`. */
const PLACE = /^body(?::(\d+):(\d+))?: (.*)$/s

const Problems = ({ text, problems }: { text: string; problems: string }) => {
  const lines = text.split('\n')
  return (
    <div id={PROBLEMS} role="alert">
      <p class="notice error">The file is invalid.</p>
      <ol class="problems">
        {problems.split('\n').map((problem) => {
          const [, line, column, words] = PLACE.exec(problem) ?? []
          if (line === undefined) return <li>{escapeBidi(words ?? problem)}</li>
          return (
            <li>
              <span class="where">{`line ${line}, column ${column}`}</span>
              <pre class="line">
                <mark>{escapeBidi(lines[Number(line) - 1]?.slice(0, 200) ?? '')}</mark>
              </pre>
              {escapeBidi(words ?? '')}
            </li>
          )
        })}
      </ol>
    </div>
  )
}
