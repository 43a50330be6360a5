import * as z from 'zod'
import { describeCause } from '../../journal/describe-entry.js'
import type { Cause } from '../../kernel/entry.js'
import { illegalTransition } from '../../kernel/refusal.js'
import { toIso } from '../../kernel/time.js'
import { nothingToUndo } from '../../usecases/nothing-to-undo.js'
import { type Action, checked } from '../actions.js'
import { DescriptionList, Empty } from '../components/components.js'
import { confirmPage } from '../components/confirm.js'
import { EntryList, Told } from '../components/entry-line.js'
import { readable, Time } from '../components/time.js'
import type { Page, PageContext } from '../page-context.js'
import { type UndoPreview, undoPreview } from '../undo-preview.js'

/** More than anybody reads: advancing until idle can make thousands. */
const MAX_SHOWN = 20

/** The act that would be taken back, with what followed from it. */
export const WhatIsUndone = ({ ctx, undoable }: { ctx: PageContext; undoable: UndoPreview }) => {
  const { unit, entries, forgotten, now } = undoable
  const shown = entries.slice(0, MAX_SHOWN)
  const hidden = entries.length - shown.length
  return (
    <>
      <DescriptionList
        facts={[
          ['Done', <Told ctx={ctx} sentence={describeCause(unit.cause)} cause={unit.cause} />],
          ['Back to', <Time ctx={ctx} at={toIso(now)} whole />],
          ['Entries', (forgotten + entries.length).toLocaleString('en')],
        ]}
      />
      {forgotten > 0 ? (
        <p class="quiet">
          {forgotten === 1 ? 'The first one is' : `The first ${forgotten.toLocaleString('en')} are`}{' '}
          kept in the journal no more. After that:
        </p>
      ) : null}
      <EntryList ctx={ctx} entries={shown} />
      {hidden > 0 ? (
        <p class="quiet">and {hidden.toLocaleString('en')} more that followed from it</p>
      ) : null}
    </>
  )
}

export const undoPage = (ctx: PageContext): Page => {
  const undoable = undoPreview(ctx.live)
  if (!undoable) {
    const { message } = nothingToUndo()
    return {
      title: 'Undo',
      body: (
        <>
          <h1>Undo</h1>
          <Empty>
            {message}. <a href={ctx.href('/snapshots')}>To the snapshots</a>
          </Empty>
        </>
      ),
    }
  }
  return confirmPage(ctx, {
    title: 'Undo this?',
    action: '/console/undo',
    verb: 'Take it back',
    fields: { act: String(undoable.unit.n) },
    back: '/snapshots',
    children: (
      <>
        <p>
          The world goes back to just before it, its time and its dice too. What is undone cannot be
          redone. The request log stays as it is.
          {isRunning(ctx) ? ' Its clock runs, so that it is at the present again at once.' : null}
        </p>
        <WhatIsUndone ctx={ctx} undoable={undoable} />
      </>
    ),
  })
}

const isRunning = ({ tables }: PageContext): boolean => (tables.clock.get('clock')?.speed ?? 0) > 0

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
          The world goes back to its fixtures, exactly as at boot, and its request log is emptied.
          Snapshots stay, and an undo takes the reset back, but for the log.
        </p>
        <DescriptionList
          facts={[
            ['Now', <Time ctx={ctx} at={toIso(ctx.world.now)} whole />],
            ['Transfers', transfers.size.toLocaleString('en')],
            ['Payouts', payouts.size.toLocaleString('en')],
            ['Users', users.size.toLocaleString('en')],
            ['Requests in the log', ctx.live.requests.size.toLocaleString('en')],
          ]}
        />
      </>
    ),
  })
}

const undoFields = z.object({ act: z.string().optional() })

const describeUnit = (cause: Cause): string =>
  'operation' in cause ? cause.operation : 'What was done by the library'

const undo: Action = {
  path: '/console/undo',
  operation: 'undo',
  act: ({ ctx, fields, cause }) => {
    const { live } = ctx
    const { act: meant } = checked(undoFields, fields)
    const newest = live.history.newest
    if (newest && meant !== undefined && String(newest.n) !== meant) {
      throw illegalTransition(
        'something else was done in the meantime, so an undo would take that back; look once more',
      )
    }
    const unit = live.undo(cause)
    if (!unit) throw nothingToUndo()
    const now = readable(toIso(live.now))
    const left = `${live.history.size.toLocaleString('en')} more can be undone`
    return {
      to: ctx.href('/snapshots'),
      told: `${describeUnit(unit.cause)} is undone. It is ${now} now; ${left}.`,
    }
  },
}

const reset: Action = {
  path: '/console/reset',
  operation: 'reset',
  act: ({ ctx, cause }) => {
    const { now } = ctx.sandbox.reset(ctx.live, cause)
    return { to: ctx.href('/'), told: `The world is as at boot: it is ${readable(toIso(now))}.` }
  },
}

export const undoActions: readonly Action[] = [undo, reset]
