import type { Context } from 'hono'
import type { PageContext } from './page-context.js'

export interface Download {
  readonly path: string
  readonly type: string
  /** The name of the saved file. */
  readonly name: string
  readonly body: (ctx: PageContext) => string | Promise<string> | ReadableStream
  /** Replaces the content security policy, for an HTML file. */
  readonly policy?: string
}

export const sendDownload = async (
  c: Context,
  { type, name, body, policy }: Download,
  ctx: PageContext,
): Promise<Response> => {
  const content = await body(ctx)
  c.header('content-type', type)
  c.header('content-disposition', `attachment; filename="${name}"`)
  if (policy !== undefined) c.header('content-security-policy', policy)
  return c.body(content)
}
