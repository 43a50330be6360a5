import { expect, test } from 'vitest'
import * as z from 'zod'
import { offrampRequest } from '../../src/contract/offramp.js'
import { payoutRequest } from '../../src/contract/payout.js'
import { consentRequest, userRequest } from '../../src/contract/user.js'
import { walletRequest } from '../../src/contract/wallet.js'
import { bodies } from '../../src/scenarios/language/operations.js'

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
}
type Names = { readonly [name: string]: null | Names }

const namesIn = (schema: Schema, $defs = schema.$defs ?? {}): Names | null => {
  const { properties } = $defs[schema.$ref?.split('/').at(-1) ?? ''] ?? schema
  if (!properties) return null
  const names = Object.entries(properties).map(([name, it]) => [name, namesIn(it, $defs)])
  return Object.fromEntries(names)
}

test('conditions know the bodies of the contract', () => {
  const schemas = {
    createPayout: payoutRequest,
    createCustodyWallet: walletRequest,
    initiateOfframp: offrampRequest,
    createUser: userRequest,
    createConsent: consentRequest,
  }
  const contract = Object.entries(schemas).map(([id, schema]) => {
    // Without the ids of components: schemas that differ in their doubts share one.
    const metadata = z.registry<{ id?: string }>()
    const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata })
    return [id, namesIn(json as Schema)]
  })
  expect(bodies).toEqual(Object.fromEntries(contract))
})
