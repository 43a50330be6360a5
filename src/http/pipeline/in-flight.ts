import type { RepeatableId } from '../../history/repeatable-id.js'
import { inWords } from '../../lib/app-error.js'
import type { LiveWorld } from '../../worlds/live-world.js'
import { ApiError } from '../operation/api-error.js'

/** A request with an idempotent id that a rule delays or holds, so that others can arrive meanwhile. */
export interface Flight extends RepeatableId {
  /** Resolves once its command has run, or the request is over without one. */
  readonly ran: Promise<void>
  readonly setRan: () => void
}

const flights = new WeakMap<LiveWorld, Set<Flight>>()

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
