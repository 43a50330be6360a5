import type { LogRecord } from '../../history/log-record.js'
import { demoKey, formatCurl, keyPlace } from '../curl.js'
import { editable, pathWithQuery, resendable, sentHeaders } from '../logged-request.js'
import type { PageContext } from '../page-context.js'
import { Command } from './command.js'
import { ActionForm, Field } from './form.js'
import { Panel } from './panel.js'

export const ReplayPanel = ({ ctx, logRecord }: { ctx: PageContext; logRecord: LogRecord }) => {
  const body = resendable(logRecord)
  return (
    <Panel title="Send again">
      {body.complete ? (
        <>
          <Command text={toCurl(ctx, logRecord, body.text)} what="curl command" />
          <ActionForm
            ctx={ctx}
            action={`/console/requests/${logRecord.id}/send`}
            kind="stacked"
            label="Send again"
          >
            <Field label="API key" hint="The log stores no whole key.">
              <input
                name="key"
                value={demoKey(ctx)}
                placeholder={keyPlace(ctx)}
                autocomplete="off"
                maxlength={64}
              />
            </Field>
            <BodyField logRecord={logRecord} text={body.text} />
            <button type="submit" class="main">
              Send again
            </button>
          </ActionForm>
        </>
      ) : (
        <p class="quiet">
          The log holds only a part of the body, so the request cannot be sent again.
        </p>
      )}
    </Panel>
  )
}

const BodyField = ({ logRecord, text }: { logRecord: LogRecord; text: string | undefined }) => {
  if (logRecord.method === 'GET' || logRecord.method === 'HEAD') return null
  if (text === undefined) {
    return (
      <Field label="Body" hint="The request had no body.">
        <textarea name="body" rows={6} placeholder="{}" />
      </Field>
    )
  }
  return (
    <details>
      <summary>Edit the body…</summary>
      <Field label="Body">
        <textarea name="body" rows={12}>
          {/* Browsers drop the first line break of a textarea. */}
          {`\n${editable(text)}`}
        </textarea>
      </Field>
    </details>
  )
}

const toCurl = (ctx: PageContext, logRecord: LogRecord, body: string | undefined): string => {
  const given = sentHeaders(logRecord).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  return formatCurl(ctx, pathWithQuery(logRecord), [
    ...replayMethod(logRecord),
    '-H',
    `x-api-key: ${demoKey(ctx) ?? keyPlace(ctx)}`,
    ...given,
    ...(body === undefined ? [] : ['--data-raw', body]),
  ])
}

/** With `-X HEAD`, curl would wait for a body. */
const replayMethod = ({ method }: LogRecord): string[] => {
  if (method === 'GET') return []
  return method === 'HEAD' ? ['--head'] : ['-X', method]
}
