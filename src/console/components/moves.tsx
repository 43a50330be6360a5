import type { PageContext } from '../page-context.js'
import { ActionButton, ActionForm } from './form.js'

/** Moves other than `next` take a reason. */
export const Moves = ({
  ctx,
  action,
  moves,
  next,
}: {
  ctx: PageContext
  action: string
  moves: readonly string[]
  /** The next status of the happy path. */
  next: string | undefined
}) => {
  if (moves.length === 0) return <p class="quiet">This status is final.</p>
  const bad = moves.filter((it) => it !== next)
  return (
    <div class="moves">
      {next ? (
        <ActionButton ctx={ctx} action={action} fields={{ to: next }} kind="main">
          {next}
        </ActionButton>
      ) : null}
      {bad.length > 0 ? (
        <ActionForm ctx={ctx} action={action} label="End it">
          <label for="reason">Reason</label>
          <input
            id="reason"
            name="reason"
            placeholder="e.g. account_closed"
            size={20}
            maxlength={255}
          />
          {bad.map((to) => (
            <button type="submit" name="to" value={to} class="bad">
              {to}
            </button>
          ))}
        </ActionForm>
      ) : null}
    </div>
  )
}
