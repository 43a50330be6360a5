import type { Fault } from './faults.js'

export type Body = Readonly<Record<string, unknown>>

/** A call of the first run: the nth of its operation in its world, as in `createPayout.2`. */
export interface Call {
  readonly name: string
  readonly operation: string
  /** Fields that single it out among parallel calls. Undefined if its number does. */
  readonly body: Body | undefined
  /** Calls before it, among those with the same body. */
  readonly before: number
  /** Payments before that of the call. Undefined if it makes none. */
  readonly made: number | undefined
}

export interface Cell {
  readonly call: Call
  readonly fault: Fault
}

export const cellName = ({ call, fault }: Cell): string => `${call.name}/${fault.name}`

export const listCells = (calls: readonly Call[], faults: readonly Fault[]): Cell[] =>
  calls.flatMap((call) =>
    faults.filter((fault) => hasFault(call, fault)).map((fault) => ({ call, fault })),
  )

const hasFault = ({ operation, made }: Call, { operations, record }: Fault): boolean =>
  record ? operation in record && made !== undefined : (operations?.includes(operation) ?? true)

export const SCENARIO = 'sweep'
export const RULE = `${SCENARIO}/0`

/** The cell as a scenario of one rule, for `sandramp run` too. */
export const toScenario = ({ call, fault }: Cell): object => {
  const { request, limit = 1 } = fault
  const skip = request ? call.before : call.made
  const rule = request ? onRequest(call, request) : onRecord(call, fault)
  return {
    name: SCENARIO,
    title: `${call.name} ${fault.does}`,
    rules: [{ ...rule, ...(skip && { skip }), limit }],
  }
}

const onRequest = ({ operation, body }: Call, effect: object): object => ({
  when: 'request',
  if: { operation, ...(body && { body }) },
  then: [effect],
})

const onRecord = ({ operation, body }: Call, { record }: Fault): object => {
  const isPayout = operation === 'createPayout'
  return {
    when: isPayout ? 'payout.created' : 'transfer.created',
    ...(isPayout && body && { if: toPayoutFields(body) }),
    then: record?.[operation],
  }
}

const toPayoutFields = ({ amount, currency, recipient_details: account_details }: Body): object =>
  // JSON drops undefined fields.
  JSON.parse(JSON.stringify({ amount, currency, account_details }))
