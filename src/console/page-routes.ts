import type { Action } from './actions.js'
import type { Download } from './download.js'
import type { DrawPage } from './page-context.js'
import { apiKeyActions, apiKeysPage } from './pages/api-keys.js'
import { assumptionActions, assumptionPage } from './pages/assumption.js'
import { assumptionsPage } from './pages/assumptions.js'
import { clockActions } from './pages/clock.js'
import { depositActions, depositsPage } from './pages/deposits.js'
import { ledgerPage } from './pages/ledger.js'
import { offrampsPage } from './pages/offramps.js'
import { overviewPage } from './pages/overview.js'
import { payoutActions, payoutPage, payoutsPage } from './pages/payouts.js'
import { questionsPage, reportFiles } from './pages/questions.js'
import { requestPage } from './pages/request.js'
import { clearRequestsPage, harFile, requestsActions, requestsPage } from './pages/requests.js'
import { scenarioPage } from './pages/scenario.js'
import { scenarioActions, scenariosPage } from './pages/scenarios.js'
import { deleteSnapshotPage, restoreSnapshotPage } from './pages/snapshot-pages.js'
import { snapshotActions, snapshotsPage } from './pages/snapshots.js'
import { transferActions, transferPage } from './pages/transfer.js'
import { transfersPage } from './pages/transfers.js'
import { resetPage, undoActions, undoPage } from './pages/undo.js'
import { userActions, userPage } from './pages/user.js'
import { usersPage } from './pages/users.js'
import { walletsPage } from './pages/wallets.js'
import { deleteWorldPage, worldActions, worldsPage } from './pages/worlds.js'
import { resendAction, type Send } from './replay.js'

export const pages: readonly (readonly [path: string, draw: DrawPage])[] = [
  ['/', overviewPage],
  ['/transfers', transfersPage],
  ['/transfers/:id', transferPage],
  ['/users', usersPage],
  ['/users/:id', userPage],
  ['/wallets', walletsPage],
  ['/offramps', offrampsPage],
  ['/payouts', payoutsPage],
  ['/payouts/:id', payoutPage],
  ['/deposits', depositsPage],
  ['/requests', requestsPage],
  ['/requests/clear', clearRequestsPage],
  ['/requests/:id', requestPage],
  ['/scenarios', (ctx) => scenariosPage(ctx)],
  ['/scenarios/:name', scenarioPage],
  ['/api-keys', apiKeysPage],
  ['/ledger', ledgerPage],
  ['/assumptions', assumptionsPage],
  ['/assumptions/report', questionsPage],
  ['/assumptions/:id', assumptionPage],
  ['/snapshots', snapshotsPage],
  ['/snapshots/:name/restore', restoreSnapshotPage],
  ['/snapshots/:name/delete', deleteSnapshotPage],
  ['/undo', undoPage],
  ['/reset', resetPage],
  ['/worlds', worldsPage],
  ['/worlds/:id/delete', deleteWorldPage],
]

/** The page of an action's address such as `/console/scenarios/post`, for users who reload it. */
export const findActionPage = (path: string): string | undefined => {
  const [, page] = /^\/console(\/[a-z-]+)/.exec(path) ?? []
  return page !== undefined && pages.some(([it]) => it === page) ? page : undefined
}

export const downloads: readonly Download[] = [harFile, ...reportFiles]

export const listActions = (send: Send): readonly Action[] => [
  ...clockActions,
  ...transferActions,
  ...payoutActions,
  ...userActions,
  ...depositActions,
  ...requestsActions,
  resendAction(send),
  ...scenarioActions,
  ...apiKeyActions,
  ...assumptionActions,
  ...snapshotActions,
  ...undoActions,
  ...worldActions,
]
