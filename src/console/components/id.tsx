import { fullName } from '../../domain/users.js'
import type { PageContext } from '../page-context.js'

/** Enough of an id to distinguish it. Ids of fixtures differ in their last digits. */
export const shortId = (id: string): string => {
  if (id.length <= 14) return id
  // Some ids are whatever a client sent: no character is cut in half.
  const characters = [...id]
  return `${characters.slice(0, 4).join('')}…${characters.slice(-6).join('')}`
}

/** A click copies the whole id. */
export const Id = ({ id, what = 'id' }: { id: string; what?: string }) => (
  <button type="button" class="id" title={id} data-copy={id}>
    {shortId(id)}
    <span class="unseen">, copy {what}</span>
  </button>
)

export const Copy = ({ text, what }: { text: string; what: string }) => (
  <button type="button" class="copy" data-copy={text} aria-label={`Copy ${what}`}>
    Copy
  </button>
)

/** The copy button as an icon. */
export const CopyId = ({ text, what }: { text: string; what: string }) => (
  <button type="button" class="copy-id" data-copy={text} aria-label={`Copy ${what}`} />
)

export const IdLink = ({ id, to }: { id: string; to: string }) => (
  <span class="id-link">
    <a href={to} title={id}>
      {shortId(id)}
    </a>
    <CopyId text={id} what={`id ${id}`} />
  </span>
)

export const TransferLink = ({ ctx, id }: { ctx: PageContext; id: string }) => (
  <IdLink id={id} to={ctx.href(`/transfers/${id}`)} />
)
export const PayoutLink = ({ ctx, id }: { ctx: PageContext; id: string }) => (
  <IdLink id={id} to={ctx.href(`/payouts/${id}`)} />
)

export const UserLink = ({ ctx, id }: { ctx: PageContext; id: string }) => {
  const user = ctx.tables.users.get(id)
  return user ? (
    <a class="name" dir="auto" href={ctx.href(`/users/${id}`)} title={id}>
      {fullName(user)}
    </a>
  ) : (
    <Id id={id} />
  )
}

/** A name that narrow screens may break after an underscore or a dot. */
export const LongName = ({ name }: { name: string }) => (
  <>
    {name.split(/(?<=[_.])/).map((part, i) => (
      <>
        {i > 0 ? <wbr /> : null}
        {part}
      </>
    ))}
  </>
)
