/** The addresses of earlier versions, and where they lead. */
export const REDIRECTS = {
  '/requests': '/',
  '/requests/:id': '/?request=:id',
  '/payouts': '/payments?kind=payouts',
  '/transfers': '/payments?kind=transfers',
  '/offramps': '/users?show=addresses',
  '/wallets': '/users?show=wallets',
  '/deposits': '/users?show=deposits',
  '/crypto-in': '/users?show=:status',
  '/api-keys': '/connect',
  '/scenarios': '/control',
  '/snapshots': '/control',
  '/undo': '/control',
  '/reset': '/control',
  '/questions.md': '/questions',
  '/assumptions': '/questions',
  '/assumptions/:id': '/questions?open=:id',
} as const

/** The addresses of the console. Actions, files and the event stream are below `/console/`. */
export const PAGE_PATHS = [
  '/',
  '/payments',
  '/payouts/:id',
  '/transfers/:id',
  '/users',
  '/users/:id',
  '/control',
  '/scenarios/:name',
  '/worlds',
  '/worlds/compare',
  '/questions',
  '/connect',
  '/ledger',
  '/find',
  '/requests.har',
  ...(Object.keys(REDIRECTS) as (keyof typeof REDIRECTS)[]),
] as const

export type PagePath = (typeof PAGE_PATHS)[number]
