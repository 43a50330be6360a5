import type { Child } from 'hono/jsx'
import { addressWith } from '../list-query.js'
import type { PageContext } from '../page-context.js'
import { Command } from './command.js'

/** Replaces an empty list. The command creates a first record. */
export const Empty = ({ children, command }: { children: Child; command?: string | undefined }) => (
  <div class="empty">
    <p>{children}</p>
    {command ? <Command text={command} /> : null}
  </div>
)

const NO_FILTERS = { text: undefined, status: undefined, user_id: undefined, page: undefined }

/** Replaces a list without matches, and links to the whole list. */
export const NoMatches = ({ ctx, noun }: { ctx: PageContext; noun: string }) => (
  <Empty>
    No {noun} matches. <a href={addressWith(ctx, NO_FILTERS)}>Show all</a>
  </Empty>
)
