import type { DrawPage, PageContext } from './page-context.js'
import { activityPage, formatArchive } from './pages/activity.js'
import { apiKeysPage } from './pages/api-keys.js'
import { cryptoInPage } from './pages/crypto-in.js'
import { payoutsPage, transfersPage, usersPage } from './pages/lists.js'
import { findPage } from './pages/palette.js'
import { payoutPage, transferPage } from './pages/records.js'
import { userPage } from './pages/user.js'
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
  '/api-keys': apiKeysPage,
  '/find': findPage,
}

export interface Download {
  readonly path: PagePath
  readonly type: string
  /** The name of the saved file. */
  readonly name: string
  readonly body: (ctx: PageContext) => string | Promise<string> | ReadableStream
  /** Replaces the content security policy, for an HTML file. */
  readonly policy?: string
}

export const downloads: readonly Download[] = [
  { path: '/requests.har', type: 'application/json', name: 'sandramp.har', body: formatArchive },
]

type Find = (
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>>,
) => string

/** The pages of earlier versions. */
export const redirects: readonly (readonly [old: PagePath, find: Find])[] = [
  ['/requests', () => '/'],
  ['/requests/:id', ({ id }) => `/?request=${id}`],
  ['/offramps', () => '/crypto-in?status=addresses'],
  ['/wallets', () => '/crypto-in?status=wallets'],
  ['/deposits', () => '/crypto-in'],
  ['/scenarios', () => '/control'],
  ['/snapshots', () => '/control'],
  ['/undo', () => '/control'],
  ['/reset', () => '/control'],
  ['/assumptions', () => '/questions'],
  ['/assumptions/:id', ({ id }) => `/questions?open=${id}`],
]
