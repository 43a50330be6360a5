import type { Action } from './actions.js'
import { apiKeyActions, apiKeysPage } from './api-keys.js'
import { assumptionActions, assumptionPage } from './assumption.js'
import { assumptionsPage } from './assumptions.js'
import { clockActions } from './clock.js'
import { depositActions } from './deposit-form.js'
import { depositsPage } from './deposits.js'
import type { Download } from './download.js'
import { ledgerPage } from './ledger.js'
import { offrampsPage } from './offramps.js'
import { overviewPage } from './overview.js'
import type { DrawPage } from './page-context.js'
import { payoutActions, payoutPage, payoutsPage } from './payouts.js'
import { questionsPage, reportFiles } from './questions.js'
import { resendAction, type Send } from './replay.js'
import { requestPage } from './request.js'
import { clearRequestsPage, harFile, requestsActions, requestsPage } from './requests.js'
import { scenarioPage } from './scenario.js'
import { scenarioActions, scenariosPage } from './scenarios.js'
import { deleteSnapshotPage, restoreSnapshotPage } from './snapshot-pages.js'
import { snapshotActions, snapshotsPage } from './snapshots.js'
import { transferActions, transferPage } from './transfer.js'
import { transfersPage } from './transfers.js'
import { resetPage, undoActions, undoPage } from './undo.js'
import { userActions, userPage } from './user.js'
import { usersPage } from './users.js'
import { walletsPage } from './wallets.js'
import { deleteWorldPage, worldActions, worldsPage } from './worlds.js'

/** Every page, by its address. */
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

/** The page of which an action is, for whoever comes back to where its answer stood: `/console/scenarios/post`. */
export const findActionPage = (path: string): string | undefined => {
  const [, page] = /^\/console(\/[a-z-]+)/.exec(path) ?? []
  return page !== undefined && pages.some(([it]) => it === page) ? page : undefined
}

/** What pages offer to download. */
export const downloads: readonly Download[] = [harFile, ...reportFiles]

/** Everything that can be done from a page. */
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
