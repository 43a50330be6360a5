import { addresses, payoutId, transferId, userId } from './fixture-ids.js'
import { type DocumentedOperation, documents, type Json } from './openapi-documents.js'
import {
  consentRequest,
  offrampRequest,
  payoutRequest,
  userRequest,
  walletRequest,
} from './requests.js'

const BODIES: Readonly<Record<string, () => unknown>> = {
  createPayout: payoutRequest,
  createCustodyWallet: walletRequest,
  initiateOfframp: offrampRequest,
  createUser: userRequest,
  createConsent: consentRequest,
  advanceClock: () => ({ until: 'idle' }),
  receiveDeposit: () => ({ address: addresses.adaEur, amount: 55 }),
  moveUser: () => ({ status: 'paused' }),
  chooseReading: () => ({ reading: 'ok' }),
  takeSnapshot: () => ({ name: 'another' }),
  verify: () => ({ expect: [{ audit: 'clean' }], until: '10s' }),
  setClock: () => ({ now: '2029-01-01T00:00:00.000Z', mode: 'manual' }),
}

const exampleOf = (
  schemas: Readonly<Record<string, Json>>,
  { requestBody }: DocumentedOperation,
) => {
  const { $ref = '' } = (requestBody?.content['application/json'].schema ?? {}) as { $ref?: string }
  const schema = schemas[$ref.slice('#/components/schemas/'.length)] as { example?: Json }
  return schema?.example
}

const ids: readonly (readonly [part: string, id: string])[] = [
  ['/transfers/', transferId(1)],
  ['/payouts/', payoutId(1)],
  ['/worlds/', ':world'],
  ['/timers/', '5.0'],
  ['/assumptions/', 'created.status'],
  ['', userId(1)],
]

const toPath = (
  template: string,
  { operationId, parameters = [] }: DocumentedOperation,
): string => {
  const [, id = ''] = ids.find(([part]) => template.includes(part)) ?? []
  const name = template.includes('snapshots') ? 'kept' : 'bank-rejects'
  const path = template
    .replace('{id}', id)
    .replace('{name}', name)
    .replace(/\{\w+\}/, id)
  const query = parameters
    .filter(({ in: where, required }) => where === 'query' && required)
    .map(({ name }) => `${name}=${template.endsWith('/compare') ? ':world' : userId(1)}`)
  if (operationId === 'deleteWorlds') query.push('idle=30d')
  return query.length > 0 ? `${path}?${query.join('&')}` : path
}

export interface OperationCase {
  readonly id: string
  readonly method: string
  /** `:world` stands for the id of a world. */
  readonly path: string
  readonly body: unknown
}

/** Each operation of both APIs, as a call that a world with the snapshot `kept` accepts. */
export const allOperations: readonly OperationCase[] = (
  ['service.json', 'control.json'] as const
).flatMap((name) => {
  const { paths, components } = documents[name]
  return Object.entries(paths).flatMap(([template, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path: toPath(template, operation),
      body: BODIES[operation.operationId]?.() ?? exampleOf(components.schemas, operation),
    })),
  )
})
