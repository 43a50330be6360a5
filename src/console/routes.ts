import type { DrawPage } from './page-context.js'
import { activityPage } from './pages/activity.js'
import { comparePage } from './pages/compare.js'
import { connectPage } from './pages/connect.js'
import { controlPage } from './pages/control.js'
import { ledgerPage } from './pages/ledger.js'
import { findPage } from './pages/palette.js'
import { paymentsPage } from './pages/payments.js'
import { questionsPage } from './pages/questions.js'
import { payoutPage, transferPage } from './pages/records.js'
import { scenarioPage } from './pages/scenarios.js'
import { userPage } from './pages/user.js'
import { usersPage } from './pages/users.js'
import { worldsPage } from './pages/worlds.js'
import type { PagePath } from './paths.js'

/** All pages. An action needs no route: its form names the control operation. */
export const pages: Partial<Readonly<Record<PagePath, DrawPage>>> = {
  '/': activityPage,
  '/payments': paymentsPage,
  '/payouts/:id': payoutPage,
  '/transfers/:id': transferPage,
  '/users': usersPage,
  '/users/:id': userPage,
  '/control': controlPage,
  '/scenarios/:name': scenarioPage,
  '/worlds': worldsPage,
  '/worlds/compare': comparePage,
  '/questions': questionsPage,
  '/connect': connectPage,
  '/ledger': ledgerPage,
  '/find': findPage,
}
