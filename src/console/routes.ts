import { renderMarkdown } from '../runtime/questions/markdown.js'
import { reportQuestions } from '../runtime/questions/report.js'
import type { DrawPage, PageContext } from './page-context.js'
import { activityPage, formatArchive } from './pages/activity.js'
import { comparePage } from './pages/compare.js'
import { controlPage } from './pages/control.js'
import { ledgerPage } from './pages/ledger.js'
import { apiKeysPage, cryptoInPage, payoutsPage, transfersPage, usersPage } from './pages/lists.js'
import { findPage } from './pages/palette.js'
import { questionsPage } from './pages/questions.js'
import { payoutPage, transferPage } from './pages/records.js'
import { scenarioPage } from './pages/scenarios.js'
import { userPage } from './pages/user.js'
import { worldsPage } from './pages/worlds.js'
import type { PagePath } from './paths.js'

/** All pages. An action needs no route: its form names the control operation. */
export const pages: Partial<Readonly<Record<PagePath, DrawPage>>> = {
  '/': activityPage,
  '/users': usersPage,
  '/users/:id': userPage,
  '/transfers': transfersPage,
  '/transfers/:id': transferPage,
  '/payouts': payoutsPage,
  '/payouts/:id': payoutPage,
  '/crypto-in': cryptoInPage,
  '/control': controlPage,
  '/scenarios/:name': scenarioPage,
  '/worlds': worldsPage,
  '/worlds/compare': comparePage,
  '/api-keys': apiKeysPage,
  '/questions': questionsPage,
  '/ledger': ledgerPage,
  '/find': findPage,
}

interface Download {
  readonly path: PagePath
  readonly type: string
  readonly name: string
  readonly body: (ctx: PageContext) => string | Promise<string> | ReadableStream
}

export const downloads: readonly Download[] = [
  { path: '/requests.har', type: 'application/json', name: 'sandramp.har', body: formatArchive },
  {
    path: '/questions.md',
    type: 'text/markdown; charset=utf-8',
    name: 'open-questions.md',
    body: async ({ sandbox, live }) => renderMarkdown(await reportQuestions(sandbox, live)),
  },
]
