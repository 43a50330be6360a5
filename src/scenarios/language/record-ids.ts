import type { NamedFixtures } from '../../domain/fixture-names.js'
import { type Problem, toProblem } from '../../lib/app-error.js'
import { didYouMean } from '../../lib/suggest.js'
import { isUuid } from '../../lib/text.js'

/** The fixtures that a field names: by its own name, or `id` in conditions on this noun. */
const FIXTURES: Readonly<Record<string, keyof NamedFixtures>> = {
  ...{ user_id: 'users', user: 'users', users: 'users' },
  ...{ account_id: 'accounts', account: 'accounts', accounts: 'accounts' },
  ...{ wallet_id: 'wallets', wallets: 'wallets', consent_id: 'consents', consents: 'consents' },
}

const EQUALITY: readonly PropertyKey[] = ['eq', 'ne', 'in']
const ANY_CONTENT: readonly PropertyKey[] = ['query', 'headers', 'body', 'response']

interface RecordId {
  readonly text: string
  readonly path: readonly PropertyKey[]
  readonly fixtures: keyof NamedFixtures | undefined
  /** Within a body the client may have sent any text. */
  readonly isOpen: boolean
}

/** Replaces all ids that conditions compare with. */
const mapIds = (
  given: unknown,
  change: (id: RecordId) => string,
  path: readonly PropertyKey[] = [],
): unknown => {
  if (typeof given === 'string') {
    const names = path.filter((key) => typeof key === 'string' && !EQUALITY.includes(key))
    const [owner = '', field = ''] = names.slice(-2).map(String)
    if (!/^(.*_)?id$/.test(field)) return given
    const isOpen = names.some((name) => ANY_CONTENT.includes(name))
    return change({ text: given, path, fixtures: FIXTURES[field === 'id' ? owner : field], isOpen })
  }
  if (Array.isArray(given)) return given.map((it, i) => mapIds(it, change, [...path, i]))
  if (typeof given !== 'object' || given === null) return given
  const entries = Object.entries(given)
  return Object.fromEntries(entries.map(([key, it]) => [key, mapIds(it, change, [...path, key])]))
}

/** Refuses texts that are neither an id nor a name, whatever the fixtures are. */
export const checkIds = (
  given: object,
  refuse: (path: PropertyKey[], expected: string) => void,
): void => {
  mapIds(given, ({ text, path, fixtures, isOpen }) => {
    const isName = fixtures && /^[a-z][A-Za-z0-9]*$/.test(text)
    if (!isOpen && !isUuid(text) && !isName)
      refuse([...path], fixtures ? `a UUID, or a name of the fixture ${fixtures}` : 'a UUID')
    return text
  })
}

/** Replaces names of fixtures by their ids. `report` receives the names that no fixture has. */
export const resolveNames = <T extends object>(
  given: T,
  names: NamedFixtures,
  report: (problem: Problem) => void,
  root: readonly PropertyKey[] = [],
): T =>
  mapIds(given, ({ text, path, fixtures, isOpen }) => {
    const known: Readonly<Record<string, { readonly id: string }>> = fixtures ? names[fixtures] : {}
    if (Object.hasOwn(known, text)) return known[text]?.id ?? text
    if (isOpen) return text
    if (isUuid(text)) return text.toLowerCase()
    const all = Object.keys(known)
    const field = [...root, ...path].join('.')
    const expected = `a UUID, or one of ${all.join(', ')}`
    report(toProblem({ field, received: text, expected, hint: didYouMean(text, all) }))
    return text
  }) as T
