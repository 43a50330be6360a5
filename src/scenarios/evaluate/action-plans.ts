import { plainDecimal } from '../../domain/money.js'
import type { CommandName } from '../../domain/world.js'
import type { Row } from '../../kernel/row.js'
import { parseDuration } from '../../kernel/time.js'
import type { ActionStep } from '../../kernel/timer-records.js'
import { parseMs } from '../faults/timing.js'
import type { Subject } from '../language/events.js'
import type { SubjectStep } from '../language/steps.js'

type Fields = Row & {
  readonly user_id?: string | null
  readonly address?: unknown
  readonly wallet_address?: string
  readonly currency?: string
  readonly amount?: string
}

/** Creates the steps for one record, with the API key behind them. */
type PlanBuilder = (record: Row, key: string | undefined) => readonly ActionStep[]

/** Creates the steps once, if they are the same for every record. */
export const createPlanBuilder = (steps: readonly SubjectStep[], subject: Subject): PlanBuilder => {
  const end = steps.findIndex(({ stop }) => stop)
  const played = end < 0 ? steps : steps.slice(0, end)
  if (played.every(({ move }) => move !== undefined)) {
    const planned = played.map((step) => plannedStep(step, subject, NOBODY, undefined))
    return () => planned
  }
  return (record, key) => played.map((step) => plannedStep(step, subject, record, key))
}

const NOBODY: Fields = { id: '', n: 0 }

const plannedStep = (
  step: SubjectStep,
  subject: Subject,
  record: Fields,
  key: string | undefined,
): ActionStep => {
  const after_ms = parseMs(step.after)
  const [command, input] = toCommand(step, subject, record, key)
  return step.after_reads === undefined
    ? { after_ms, command, input }
    : { after_ms, after_reads: step.after_reads, command, input }
}

const toCommand = (
  step: SubjectStep,
  subject: Subject,
  record: Fields,
  key: string | undefined,
): [CommandName, object] => {
  const { move: to, reason, rejection_reasons: reasons, requirements } = step
  if (step.credit) return ['balance.credit', toCredit(step.credit, subject, record)]
  if (step.deposit) return ['deposit.receive', toDeposit(step.deposit, record)]
  if (step.set_key) return ['api_key.set', toKeyChange(step.set_key, key)]
  if (!to || !subject.move) throw new Error('a step does nothing')
  return [subject.move, defined({ to, reason, reasons, requirements })]
}

const toCredit = (
  { currency, amount }: NonNullable<SubjectStep['credit']>,
  { table }: Subject,
  record: Fields,
) => ({
  user_id: table === 'users' ? record.id : (record.user_id ?? ''),
  currency: currency ?? record.currency ?? '',
  amount: plainDecimal(amount ?? record.amount ?? ''),
})

const toDeposit = (deposit: NonNullable<SubjectStep['deposit']>, record: Fields) => {
  const own = record.wallet_address ?? record.address
  const { address = typeof own === 'string' ? own : '', amount, crypto, chain } = deposit
  return defined({ address, amount: plainDecimal(amount), crypto, chain })
}

const toKeyChange = (
  { status, expires_at }: NonNullable<SubjectStep['set_key']>,
  id: string | undefined,
) => {
  const expires_in_ms = expires_at === undefined ? undefined : parseDuration(expires_at)
  return {
    id: id ?? '',
    ...defined({
      status,
      expires_in_ms,
      expires_at: expires_in_ms === undefined ? expires_at : undefined,
    }),
  }
}

const defined = (object: object): object =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
