/** Addresses of the console, one of each kind. */
export const listPages = ({ id, user_id }, request) => [
  '/',
  `/?request=${request.id}`,
  '/?text=lagos',
  '/users',
  `/users/${user_id}`,
  '/users?show=deposits',
  '/payments',
  '/payments?kind=transfers',
  '/payments?text=lagos',
  `/payouts/${id}`,
  '/control',
  '/worlds',
  '/connect',
  '/questions',
  '/ledger',
  '/find?q=lagos',
]
