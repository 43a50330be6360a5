import * as z from 'zod'
import { nothingToUndo } from '../http/undo.js'
import { causeInWords } from '../journal/sentence.js'
import type { Cause } from '../world/kernel/entry.js'
import { illegal } from '../world/kernel/refusal.js'
import { isoTime } from '../world/kernel/time.js'
import { type Action, checked } from './actions.js'
import { confirmPage } from './confirm.js'
import { EntryList, Told } from './entry-line.js'
import { Empty, Facts } from './parts.js'
import { readable, Time } from './time.js'
import { type Undoable, undoableOf } from './undone.js'
import type { Page, View } from './view.js'

/** More than anybody reads: advancing until idle can make thousands. */
const MOST_SHOWN = 20

/** The act that would be taken back, with what followed from it. */
export const WhatIsUndone = ({ view, undoable }: { view: View; undoable: Undoable }) => {
  const { act, entries, forgotten, now } = undoable
  const shown = entries.slice(0, MOST_SHOWN)
  const hidden = entries.length - shown.length
  return (
    <>
      <Facts
        facts={[
          ['Done', <Told view={view} sentence={causeInWords(act.cause)} cause={act.cause} />],
          ['Back to', <Time view={view} at={isoTime(now)} whole />],
          ['Entries', (forgotten + entries.length).toLocaleString('en')],
        ]}
      />
      {forgotten > 0 ? (
        <p class="quiet">
          {forgotten === 1 ? 'The first one is' : `The first ${forgotten.toLocaleString('en')} are`}{' '}
          kept in the journal no more. After that:
        </p>
      ) : null}
      <EntryList view={view} entries={shown} />
      {hidden > 0 ? (
        <p class="quiet">and {hidden.toLocaleString('en')} more that followed from it</p>
      ) : null}
    </>
  )
}

export const undoPage = (view: View): Page => {
  const undoable = undoableOf(view.line)
  if (!undoable) {
    const { message } = nothingToUndo()
    return {
      title: 'Undo',
      body: (
        <>
          <h1>Undo</h1>
          <Empty>
            {message}. <a href={view.to('/snapshots')}>To the snapshots</a>
          </Empty>
        </>
      ),
    }
  }
  return confirmPage(view, {
    title: 'Undo this?',
    action: '/console/undo',
    verb: 'Take it back',
    fields: { act: String(undoable.act.n) },
    back: '/snapshots',
    children: (
      <>
        <p>
          The world goes back to just before it, its time and its dice too. What is undone cannot be
          redone. The request log stays as it is.
          {isRunning(view) ? ' Its clock runs, so that it is at the present again at once.' : null}
        </p>
        <WhatIsUndone view={view} undoable={undoable} />
      </>
    ),
  })
}

const isRunning = ({ tables }: View): boolean => (tables.clock.get('clock')?.speed ?? 0) > 0

export const resetPage = (view: View): Page => {
  const { transfers, payouts, users } = view.tables
  return confirmPage(view, {
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
        <Facts
          facts={[
            ['Now', <Time view={view} at={isoTime(view.world.now)} whole />],
            ['Transfers', transfers.size.toLocaleString('en')],
            ['Payouts', payouts.size.toLocaleString('en')],
            ['Users', users.size.toLocaleString('en')],
            ['Requests in the log', view.line.requests.size.toLocaleString('en')],
          ]}
        />
      </>
    ),
  })
}

const undoFields = z.object({ act: z.string().optional() })

const deedOf = (cause: Cause): string =>
  'operation' in cause ? cause.operation : 'What was done by the library'

const undo: Action = {
  path: '/console/undo',
  operation: 'undo',
  act: ({ view, fields, cause }) => {
    const { line } = view
    const { act: meant } = checked(undoFields, fields)
    const newest = line.history.newest
    if (newest && meant !== undefined && String(newest.n) !== meant) {
      throw illegal(
        'something else was done in the meantime, so an undo would take that back; look once more',
      )
    }
    const act = line.undo(cause)
    if (!act) throw nothingToUndo()
    const now = readable(isoTime(line.now))
    const left = `${line.history.size.toLocaleString('en')} more can be undone`
    return {
      to: view.to('/snapshots'),
      told: `${deedOf(act.cause)} is undone. It is ${now} now; ${left}.`,
    }
  },
}

const reset: Action = {
  path: '/console/reset',
  operation: 'reset',
  act: ({ view, cause }) => {
    const { now } = view.sandbox.reset(view.line, cause)
    return { to: view.to('/'), told: `The world is as at boot: it is ${readable(isoTime(now))}.` }
  },
}

export const undoActions: readonly Action[] = [undo, reset]
