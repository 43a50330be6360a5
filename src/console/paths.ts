/** The addresses of earlier versions, and where they lead. */
export const REDIRECTS = {
  '/requests': '/',
  '/requests/:id': '/?request=:id',
  '/offramps': '/crypto-in?status=addresses',
  '/wallets': '/crypto-in?status=wallets',
  '/deposits': '/crypto-in',
  '/scenarios': '/control',
  '/snapshots': '/control',
  '/undo': '/control',
  '/reset': '/control',
  '/assumptions': '/questions',
  '/assumptions/:id': '/questions?open=:id',
} as const

/** The addresses of the console. Actions, files and the event stream are below `/console/`. */
export const PAGE_PATHS = [
  '/',
  '/users',
  '/users/:id',
  '/transfers',
  '/transfers/:id',
  '/payouts',
  '/payouts/:id',
  '/crypto-in',
  '/control',
  '/scenarios/:name',
  '/worlds',
  '/worlds/compare',
  '/api-keys',
  '/questions',
  '/questions.md',
  '/ledger',
  '/find',
  '/requests.har',
  ...(Object.keys(REDIRECTS) as (keyof typeof REDIRECTS)[]),
] as const

export type PagePath = (typeof PAGE_PATHS)[number]
