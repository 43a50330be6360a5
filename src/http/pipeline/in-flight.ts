import type { Readings } from '../../assumptions/use.js'
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
  readonly user_id: unknown
}

/** A request with an idempotent id that a rule delays or holds, so that others can arrive meanwhile. */
export interface Flight extends RepeatableId {
  /** Another request with the id ran meanwhile, and each makes a record (repeat.in_flight). */
  isDoubled: boolean
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
  const { [field]: id, user_id } = body as Readonly<Record<string, unknown>>
  return typeof id === 'string' ? { operation, field, id: id.toLowerCase(), user_id } : undefined
}

/** The running requests of this id (repeat.scope). */
export const findFlights = (
  live: LiveWorld,
  { operation, id, user_id }: RepeatableId,
  readings: Readings,
): readonly Flight[] => {
  const all = [...(flights.get(live) ?? [])]
  const named = all.filter((it) => it.operation === operation && it.id === id)
  const own = named.filter((it) => it.user_id === user_id)
  return own.length === named.length || readings.use('repeat.scope') === 'account' ? named : own
}

export const trackFlight = <T>(
  live: LiveWorld,
  repeatable: RepeatableId,
  play: (flight: Flight) => Promise<T>,
): Promise<T> => {
  let setRan = () => {}
  const ran = new Promise<void>((resolve) => {
    setRan = resolve
  })
  const flight: Flight = { ...repeatable, isDoubled: false, ran, setRan }
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
