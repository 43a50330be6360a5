import type { LogRecord } from '../../history/log-record.js'
import { ActionButton, FoldedForm } from '../components/form.js'
import { demoKey, formatCurl, keyPlace } from '../curl.js'
import { editable, pathWithQuery, resendable, sentHeaders } from '../logged-request.js'
import type { PageContext } from '../page-context.js'

interface Props {
  readonly ctx: PageContext
  readonly request: LogRecord
}

/** The request as a form: the user may change its key and its body. */
export const SendAgain = ({ ctx, request }: Props) => {
  const body = resendable(request)
  if (!body.complete) return null
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
  return (
    <FoldedForm
      ctx={ctx}
      operation="sendAgain"
      given={{ id: request.id }}
      summary="Send again…"
      submit="Send"
      fields={[
        keyField(ctx),
        ...(hasBody
          ? [{ name: 'body', value: editable(body.text ?? ''), isMultiline: true } as const]
          : []),
      ]}
    />
  )
}

const keyField = (ctx: PageContext) => ({ name: 'key', label: 'API key', value: demoKey(ctx) })

/** Sends the request at once, or asks for the key first. `fresh` is the id to replace by a new one. */
export const SendAtOnce = ({
  ctx,
  request: { id },
  fresh,
  kind,
  text,
}: {
  ctx: PageContext
  request: Pick<LogRecord, 'id'>
  fresh?: string
  kind?: 'main' | 'danger'
  text: string
}) => {
  const key = demoKey(ctx)
  const form = {
    ctx,
    operation: 'sendAgain',
    given: { id, ...(fresh && { fresh }), ...(key && { key }) },
    kind,
  }
  return key ? (
    <ActionButton {...form}>{text}</ActionButton>
  ) : (
    <FoldedForm {...form} summary={`${text}…`} submit="Send" fields={[keyField(ctx)]} />
  )
}

export const CopyCurl = ({ ctx, request }: Props) => {
  const body = resendable(request)
  return body.complete ? (
    <button type="button" data-copy={toCurl(ctx, request, body.text)}>
      Copy as curl
    </button>
  ) : null
}

const toCurl = (ctx: PageContext, request: LogRecord, body: string | undefined): string =>
  formatCurl(ctx, pathWithQuery(request), [
    ...methodWords(request),
    '-H',
    `x-api-key: ${demoKey(ctx) ?? keyPlace(ctx)}`,
    ...sentHeaders(request).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    ...(body === undefined ? [] : ['--data-raw', body]),
  ])

/** With `-X HEAD`, curl would wait for a body. */
const methodWords = ({ method }: LogRecord): string[] => {
  if (method === 'GET') return []
  return method === 'HEAD' ? ['--head'] : ['-X', method]
}
