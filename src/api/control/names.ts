import * as z from 'zod'
import type { NamedFixtures } from '../../domain/fixture-names.js'
import type { Operation } from '../../http/operation/operation.js'
import { invalidValue } from '../../lib/app-error.js'
import { innermost } from '../../lib/schema-fields.js'
import { isMisspelling } from '../../lib/suggest.js'
import { isUuid } from '../../lib/text.js'

type Noun = 'users' | 'accounts' | 'wallets'

/** Fields that accept a name of the fixtures. A wallet stands for its address. */
export const fixtureNames = z.registry<{ readonly noun: Noun }>()

const idOrName = (noun: Noun, name: string) =>
  z
    .string(`an id, or a name of the fixtures such as ${name}`)
    .register(fixtureNames, { noun })
    .meta({ description: `Id, or a name of the fixtures such as \`${name}\`` })

export const userId = () => idOrName('users', 'ada')
export const accountId = () => idOrName('accounts', 'adaEur')

export const resolveName = (
  fixtures: NamedFixtures,
  noun: Noun,
  field: string,
  text: string,
): string => {
  const named = fixtures[noun]
  const found = Object.hasOwn(named, text) ? named[text] : undefined
  if (found) return 'wallet_address' in found ? found.wallet_address : found.id
  const names = Object.keys(named)
  const isForWallets = noun === 'wallets'
  // A deposit may come to an address that nobody has.
  if (isForWallets && !names.some((it) => isMisspelling(text, it))) return text
  if (isUuid(text)) return text.toLowerCase()
  const expected = `${isForWallets ? 'an address' : 'an id'}, or one of ${names.join(', ')}`
  throw invalidValue(field, text, expected)
}

/** Puts ids in place of names before the handler. */
export const withNames = (operation: Operation): Operation => {
  const { params, query, body, handle } = operation
  const fields = Object.entries({ params, query, body }).flatMap(([part, schema]) =>
    Object.entries(schema && 'shape' in schema ? Object(schema.shape) : {}).flatMap(
      ([field, option]) => {
        const known = fixtureNames.get(innermost(option as z.ZodType))
        return known ? [{ part: part as 'params' | 'query' | 'body', field, ...known }] : []
      },
    ),
  )
  if (fields.length === 0) return operation
  return {
    ...operation,
    handle: (call) => {
      const resolved: typeof call = { ...call }
      for (const { part, field, noun } of fields) {
        const given = Object(resolved[part])[field]
        if (typeof given !== 'string') continue
        const id = resolveName(call.sandbox.fixtures, noun, field, given)
        Object.assign(resolved, { [part]: { ...Object(resolved[part]), [field]: id } })
      }
      return handle(resolved)
    },
  }
}
