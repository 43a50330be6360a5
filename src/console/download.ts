import type { Context } from 'hono'
import type { PageContext } from './page-context.js'

/** What a page offers to download. */
export interface Download {
  readonly path: string
  readonly type: string
  /** Under which it is saved. */
  readonly name: string
  readonly body: (ctx: PageContext) => string | ReadableStream
  /** What may be loaded by it, where it is a page of its own. */
  readonly policy?: string
}

export const answerDownload = (
  c: Context,
  { type, name, body, policy }: Download,
  ctx: PageContext,
): Response => {
  const content = body(ctx)
  c.header('content-type', type)
  c.header('content-disposition', `attachment; filename="${name}"`)
  if (policy !== undefined) c.header('content-security-policy', policy)
  return c.body(content)
}
