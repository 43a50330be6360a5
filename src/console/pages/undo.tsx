import { readClockSetting } from '../../domain/clock.js'
import { describeCause } from '../../history/describe-entry.js'
import type { Cause } from '../../kernel/entry.js'
import { illegalTransition } from '../../kernel/refusal.js'
import { toIso } from '../../kernel/time.js'
import { nothingToUndo, previewUndo, type UndoPreview } from '../../runtime/undo.js'
import { type Action, formAction } from '../actions.js'
import { confirmPage } from '../components/confirm.js'
import { Empty } from '../components/empty.js'
import { EntryList, Sentence } from '../components/entry-line.js'
import { DescriptionList } from '../components/panel.js'
import { Time } from '../components/time.js'
import { formatCount, formatTime, pluralize } from '../format.js'
import type { Page, PageContext } from '../page-context.js'

/** Advancing until idle can make thousands of entries. */
const MAX_SHOWN = 20

export const WhatIsUndone = ({ ctx, undoable }: { ctx: PageContext; undoable: UndoPreview }) => {
  const { unit, entries, forgotten, now } = undoable
  const shown = entries.slice(0, MAX_SHOWN)
  const hidden = entries.length - shown.length
  return (
    <>
      <DescriptionList
        facts={[
          [
            'Change',
            <Sentence ctx={ctx} sentence={describeCause(unit.cause)} cause={unit.cause} />,
          ],
          ['Back to', <Time ctx={ctx} at={toIso(now)} whole />],
          ['Entries', formatCount(forgotten + entries.length)],
        ]}
      />
      {forgotten > 0 ? (
        <p class="quiet">
          The journal no longer holds the first {pluralize(forgotten, 'entry', 'entries')}. The
          rest:
        </p>
      ) : null}
      <EntryList ctx={ctx} entries={shown} />
      {hidden > 0 ? <p class="quiet">and {formatCount(hidden)} more</p> : null}
    </>
  )
}

export const undoPage = (ctx: PageContext): Page => {
  const undoable = previewUndo(ctx.live)
  if (!undoable) {
    const { message } = nothingToUndo()
    return {
      title: 'Undo',
      body: (
        <>
          <h1>Undo</h1>
          <Empty>
            {message} <a href={ctx.href('/snapshots')}>To the snapshots</a>
          </Empty>
        </>
      ),
    }
  }
  return confirmPage(ctx, {
    title: 'Undo this?',
    action: '/console/undo',
    verb: 'Undo',
    fields: { act: String(undoable.unit.n) },
    back: '/snapshots',
    children: (
      <>
        <p>
          The world goes back to its state before this change, including time and randomness. The
          request log does not change.
          {readClockSetting(ctx.tables).speed > 0
            ? ' The clock runs, so the world catches up at once.'
            : null}
        </p>
        <WhatIsUndone ctx={ctx} undoable={undoable} />
      </>
    ),
  })
}

/** A reset draws another seed for the default world only. */
export const NewIdsHint = ({ ctx }: { ctx: PageContext }) =>
  ctx.worldId === undefined ? <>New records get other ids, unless a seed is set. </> : null

export const resetPage = (ctx: PageContext): Page => {
  const { transfers, payouts, users } = ctx.tables
  return confirmPage(ctx, {
    title: 'Reset this world?',
    action: '/console/reset',
    verb: 'Reset',
    back: '/snapshots',
    children: (
      <>
        <p>
          The world goes back to its fixtures, exactly as at start. <NewIdsHint ctx={ctx} />
          The request log is emptied. Snapshots stay. An undo reverts the reset, except for the log.
        </p>
        <DescriptionList
          facts={[
            ['Now', <Time ctx={ctx} at={toIso(ctx.world.now)} whole />],
            ['Transfers', formatCount(transfers.size)],
            ['Payouts', formatCount(payouts.size)],
            ['Users', formatCount(users.size)],
            ['Requests in the log', formatCount(ctx.live.requests.size)],
          ]}
        />
      </>
    ),
  })
}

const describeUnit = (cause: Cause): string =>
  'operation' in cause ? cause.operation : 'a call of the library'

const undo: Action = {
  path: '/console/undo',
  operation: 'undo',
  act: async ({ ctx, fields: { act: shown }, run }) => {
    const { newest } = ctx.live.history
    if (newest && shown !== undefined && String(newest.n) !== shown) {
      throw illegalTransition(
        'another change happened in the meantime. Check again what an undo reverts',
      )
    }
    const { undone, now, left } = (await run({})) as { undone: Cause; now: string; left: number }
    return {
      to: ctx.href('/snapshots'),
      message: `Undid ${describeUnit(undone)}. The world time is ${formatTime(now)}. ${formatCount(left)} more can be undone.`,
    }
  },
}

const reset = formAction<{ now: string }>({
  path: '/console/reset',
  operation: 'reset',
  conclude: ({ ctx }, { now }) => ({
    to: ctx.href('/'),
    message: `The world is reset. The world time is ${formatTime(now)}.`,
  }),
})

export const undoActions: readonly Action[] = [undo, reset]
