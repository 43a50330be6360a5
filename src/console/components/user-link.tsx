import { fullName } from '../../domain/users.js'
import type { PageContext } from '../page-context.js'
import { Id } from './id.js'

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
