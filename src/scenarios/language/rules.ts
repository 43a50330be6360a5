import type { RequestStep } from '../faults/fault.js'
import type { Conditions } from './conditions.js'
import type { EventName } from './events.js'
import type { SubjectStep } from './steps.js'

/** A window of world time. */
export interface During {
  /** Starts with the scenario, the first matching request, or an event. */
  readonly after: 'start' | 'request' | EventName
  readonly from?: string | undefined
  readonly for?: string | undefined
}

interface Quota {
  readonly skip?: number
  readonly limit?: number
  readonly per?: string
  readonly chance?: number
  readonly during?: During
}

export interface EventRule extends Quota {
  readonly when: EventName
  readonly if?: Conditions
  readonly then: readonly SubjectStep[]
}

export interface RequestRule extends Quota {
  readonly when: 'request'
  readonly if?: Conditions
  readonly then: readonly RequestStep[]
}

export type Rule = EventRule | RequestRule
