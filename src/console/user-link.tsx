import { fullName } from '../world/users.js'
import { Id } from './id.js'
import type { View } from './view.js'

export const UserLink = ({ view, id }: { view: View; id: string }) => {
  const user = view.tables.users.get(id)
  return user ? (
    <a class="name" dir="auto" href={view.to(`/users/${id}`)} title={id}>
      {fullName(user)}
    </a>
  ) : (
    <Id id={id} />
  )
}
