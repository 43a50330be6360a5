import { inWords } from '../../lib/app-error.js'
import type { LiveWorld } from '../../runtime/live-world.js'
import { ApiError } from '../operation/api-error.js'

/** Operations with an idempotent id, and the field of that id. */
const ID_FIELDS: Readonly<Record<string, string>> = {
  createPayout: 'customer_payout_id',
  createCustodyWallet: 'customer_wallet_ref',
}

export interface RepeatableId {
  readonly operation: string
  readonly field: string
  readonly id: string
}

/** A request with an idempotent id that a rule delays or holds, so that others can arrive meanwhile. */
export interface Flight extends RepeatableId {
  /** Resolves once its command has run, or the request is over without one. */
  readonly ran: Promise<void>
  readonly setRan: () => void
}

const flights = new WeakMap<LiveWorld, Set<Flight>>()

/** The idempotent id of a request; undefined for operations without one and for unusable bodies. */
export const repeatableId = (
  operation: string | undefined,
  body: unknown,
): RepeatableId | undefined => {
  const field = operation === undefined ? undefined : ID_FIELDS[operation]
  if (operation === undefined || field === undefined) return undefined
  if (typeof body !== 'object' || body === null) return undefined
  const { [field]: id } = body as Readonly<Record<string, unknown>>
  return typeof id === 'string' ? { operation, field, id: id.toLowerCase() } : undefined
}

/** The running request of this id. */
export const findFlight = (live: LiveWorld, { operation, id }: RepeatableId): Flight | undefined =>
  [...(flights.get(live) ?? [])].find((it) => it.operation === operation && it.id === id)

export const trackFlight = <T>(
  live: LiveWorld,
  repeatable: RepeatableId,
  play: (flight: Flight) => Promise<T>,
): Promise<T> => {
  let setRan = () => {}
  const ran = new Promise<void>((resolve) => {
    setRan = resolve
  })
  const flight: Flight = { ...repeatable, ran, setRan }
  const known = flights.get(live) ?? new Set()
  flights.set(live, known.add(flight))
  return play(flight).finally(() => {
    known.delete(flight)
    setRan()
  })
}

export const conflict = ({ field, id }: RepeatableId): ApiError =>
  new ApiError('4090', {
    field,
    received: inWords(`${JSON.stringify(id)}, which another request uses that is still running`),
    expected: 'an id that is not in use',
    hint: 'Wait for the answer of that request, then retry',
  })
