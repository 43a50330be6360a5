import type { Address, User, UserStatus } from '../../domain/schema.js'
import { getUser, userTransitionsIn } from '../../domain/users.js'
import { splitList } from '../../lib/text.js'
import { formAction } from '../actions.js'
import { StatusBadge } from '../components/badge.js'
import { ActionButton, ActionForm, Field } from '../components/form.js'
import { DescriptionList, LiveRegion, Panel } from '../components/panel.js'
import { Time } from '../components/time.js'
import { TimerInWords } from '../components/timer-line.js'
import { escapeBidi } from '../format.js'
import type { PageContext } from '../page-context.js'
import { findTimers } from '../planned-moves.js'

export const StatusPanel = ({ ctx, user }: { ctx: PageContext; user: User }) => (
  <Panel
    title="Status"
    aside={
      <LiveRegion id="status">
        <StatusBadge status={user.status} />
      </LiveRegion>
    }
  >
    <LiveRegion id="facts">
      <DescriptionList
        facts={[
          ['Email', user.email_address],
          ['Phone', user.phone_number],
          ['Address', <Place address={user.address} />],
          ['Created', <Time ctx={ctx} at={user.created_at} whole />],
          ...(user.rejection_reasons ?? []).map(
            ({ reason, developer_reason }) =>
              [
                'Rejected',
                escapeBidi(
                  developer_reason === reason ? reason : `${reason} (${developer_reason})`,
                ),
              ] as const,
          ),
          ...(user.requirements
            ? [['Missing', escapeBidi(user.requirements.join(', '))] as const]
            : []),
        ]}
      />
      <ul class="lines">
        {findTimers(ctx, user.id).map((timer) => (
          <li>
            <TimerInWords ctx={ctx} timer={timer} />
          </li>
        ))}
      </ul>
    </LiveRegion>
    <LiveRegion id="moves">
      <UserMoves ctx={ctx} user={user} />
    </LiveRegion>
  </Panel>
)

const Place = ({ address: { city, country } }: { address: Address }) => {
  if (city === null) return <>{country ?? 'not given'}</>
  return (
    <>
      <bdi>{city}</bdi>
      {country === null ? '' : `, ${country}`}
    </>
  )
}

/** Words that a reviewer uses. */
const VERBS: Readonly<Record<UserStatus, string>> = {
  active: 'Approve',
  rejected: 'Reject',
  incomplete: 'Ask for more',
  under_review: 'Review again',
  paused: 'Pause',
  offboarded: 'Offboard',
}

const transitionVerb = (from: UserStatus, to: UserStatus): string =>
  from === 'paused' && to === 'active' ? 'Resume' : VERBS[to]

const UserMoves = ({ ctx, user }: { ctx: PageContext; user: User }) => {
  const legal = userTransitionsIn(ctx.tables)
  const moves = legal[user.status]
  if (moves.length === 0) return <p class="quiet">This status is final.</p>
  const action = `/console/users/${user.id}/move`
  return (
    <div class="moves">
      {moves.map((to) => {
        const verb = transitionVerb(user.status, to)
        if (to === 'rejected' || to === 'incomplete' || to === 'offboarded') {
          const isFinal = legal[to].length === 0
          return <MoveWithDetail ctx={ctx} action={action} to={to} verb={verb} isFinal={isFinal} />
        }
        return (
          <ActionButton
            ctx={ctx}
            action={action}
            fields={{ status: to }}
            kind={to === 'active' ? 'main' : undefined}
          >
            {verb}
          </ActionButton>
        )
      })}
    </div>
  )
}

const DETAILS = {
  rejected: { name: 'reason', label: 'Reason', hint: 'e.g. Document expired' },
  incomplete: { name: 'requirements', label: 'Missing fields', hint: 'fields, with commas' },
  offboarded: undefined,
}

const MoveWithDetail = ({
  ctx,
  action,
  to,
  verb,
  isFinal,
}: {
  ctx: PageContext
  action: string
  to: keyof typeof DETAILS
  verb: string
  isFinal: boolean
}) => {
  const detail = DETAILS[to]
  return (
    <details>
      <summary>{verb}…</summary>
      <ActionForm ctx={ctx} action={action} label={verb}>
        <input type="hidden" name="status" value={to} />
        {detail ? (
          <Field label={detail.label}>
            <input name={detail.name} placeholder={detail.hint} maxlength={255} />
          </Field>
        ) : (
          isFinal && <span class="check">This is final.</span>
        )}
        <button type="submit" class="bad">
          {verb}
        </button>
      </ActionForm>
    </details>
  )
}

export const moveUser = formAction({
  path: '/console/users/:id/move',
  operation: 'moveUser',
  toInput: ({ fields: { reason, requirements, ...rest } }) => ({
    body: {
      ...rest,
      ...(reason && { reasons: [reason] }),
      ...(requirements && { requirements: splitList(requirements) }),
    },
  }),
  conclude: ({ ctx, params: { id = '' } }) =>
    `The user is ${getUser(ctx.tables, id, 'id').status} now.`,
})
