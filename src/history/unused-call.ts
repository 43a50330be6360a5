import type { NextCall } from '../domain/schema.js'
import type { RequestLog } from './request-log.js'
import { sentTarget } from './views.js'

/** Steps by their names in the test kit. */
const NAMES: Readonly<Record<string, string>> = {
  'drop after': 'loseResponse',
  'drop before': 'dropBefore',
  'stop true': 'stayPending',
}

const MAX_REQUESTS = 100
const MAX_NAMED = 5

/** `createPayout loseResponse was never taken; the client called createUser`, unless a call took it or none has to. */
export const describeUnused = (call: NextCall, requests: RequestLog): string | null => {
  const { operation, then, left, taken, optional } = call
  if (taken || optional || left === 0) return null
  const [action = '', value] = Object.entries(then)[0] ?? []
  const step = typeof value === 'object' ? action : `${action} ${value}`
  const called = requests
    .newest({}, 0, MAX_REQUESTS)
    .map((it) => it.operation?.id ?? `${it.method} ${sentTarget(it)}`)
  const names = [...new Set(called.reverse())].slice(0, MAX_NAMED).join(', ') || 'nothing'
  return `${operation ?? 'any call'} ${NAMES[step] ?? step} was never taken; the client called ${names}`
}
