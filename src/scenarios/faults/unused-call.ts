import type { NextCall } from '../../domain/schema.js'
import type { RequestLog } from '../../history/request-log.js'
import { sentTarget } from '../../history/views.js'
import { toCamelCase } from '../../lib/text.js'
import type { FaultKind } from './define.js'
import { nameMove } from './moves.js'
import { faults } from './registry.js'

/** A step by its name in the test kit. */
const nameStep = (operation: string | null, then: object): string => {
  const [action = '', value] = Object.entries(then)[0] ?? []
  const { words = [] } = (faults as readonly FaultKind[]).find((it) => it.field === action) ?? {}
  const word = words.find((it) => it.value === value)?.name ?? nameMove(operation, then)
  return word ? toCamelCase(word) : typeof value === 'object' ? action : `${action} ${value}`
}

const MAX_REQUESTS = 100
const MAX_NAMED = 5

/** `createPayout loseResponse was never taken; the client called createUser`, unless a call took it or none has to. */
export const describeUnused = (call: NextCall, requests: RequestLog): string | null => {
  const { operation, then, left, taken, optional } = call
  if (taken || optional || left === 0) return null
  const called = requests
    .newest({}, 0, MAX_REQUESTS)
    .map((it) => it.operation?.id ?? `${it.method} ${sentTarget(it)}`)
  const names = [...new Set(called.reverse())].slice(0, MAX_NAMED).join(', ') || 'nothing'
  return `${operation ?? 'any call'} ${nameStep(operation, then)} was never taken; the client called ${names}`
}
