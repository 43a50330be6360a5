import type { Recording } from '../exchanges/recording.js'
import { ActionForm, Field } from './form.js'
import { Command, Panel } from './parts.js'
import { editable, pathOf, resendable, sentHeaders } from './recordings.js'
import { curlLine, demoKey, keyPlace } from './try.js'
import type { View } from './view.js'

/** A request of the log as a command to copy, and as a form that sends it again. */
export const OnceMore = ({ view, recording }: { view: View; recording: Recording }) => {
  const body = resendable(recording)
  return (
    <Panel title="Once more">
      {body.complete ? (
        <>
          <Command text={curlOf(view, recording, body.text)} what="curl command" />
          <ActionForm
            view={view}
            action={`/console/requests/${recording.id}/send`}
            kind="stacked"
            label="Send again"
          >
            <Field
              label="API key"
              hint="The log keeps four characters of a key, so the one that came cannot be used again."
            >
              <input
                name="key"
                value={demoKey(view)}
                placeholder={keyPlace(view)}
                autocomplete="off"
                maxlength={64}
              />
            </Field>
            <BodyField recording={recording} text={body.text} />
            <button type="submit" class="main">
              Send again
            </button>
          </ActionForm>
        </>
      ) : (
        <p class="quiet">
          Its body was too long for the log to keep it whole, so it cannot be sent again from here.
        </p>
      )}
    </Panel>
  )
}

const BodyField = ({ recording, text }: { recording: Recording; text: string | undefined }) => {
  if (recording.method === 'GET' || recording.method === 'HEAD') return null
  if (text === undefined) {
    return (
      <Field label="Body" hint="The log has none: none came, or the request was refused before it.">
        <textarea name="body" rows={6} placeholder="{}" />
      </Field>
    )
  }
  return (
    <details>
      <summary>Change the body first…</summary>
      <Field label="Body">
        <textarea name="body" rows={12}>
          {/* A field drops a line break that it begins with. */}
          {`\n${editable(text)}`}
        </textarea>
      </Field>
    </details>
  )
}

const curlOf = (view: View, recording: Recording, body: string | undefined): string => {
  const given = sentHeaders(recording).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  return curlLine(view, pathOf(recording), [
    ...methodOf(recording),
    '-H',
    `x-api-key: ${demoKey(view) ?? keyPlace(view)}`,
    ...given,
    ...(body === undefined ? [] : ['--data-raw', body]),
  ])
}

/** Told to send HEAD as any other method, curl would wait for the body of its answer. */
const methodOf = ({ method }: Recording): string[] => {
  if (method === 'GET') return []
  return method === 'HEAD' ? ['--head'] : ['-X', method]
}
