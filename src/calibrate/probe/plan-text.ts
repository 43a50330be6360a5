import { groupBy } from '../../lib/group-by.js'
import { plural } from '../../lib/text.js'
import { STEP_KINDS, type Step } from './plan.js'
import { amountOf, isHuge, type Progress } from './run.js'
import { factOf, fillRequest, findMissing, type Values } from './values.js'

const countRequests = (steps: readonly Step[]): number =>
  steps.reduce((sum, { plain, isTwice }) => sum + (plain || isTwice ? 2 : 1), 0)

const describeMoney = (steps: readonly Step[], values: Values): string => {
  const sent = steps.flatMap(({ request, isTwice }) => (isTwice ? [request, request] : [request]))
  const amounts = sent.map((template) => {
    const request = fillRequest(template, values)
    return { amount: request ? amountOf(request) : 0, isRefused: isHuge(template) }
  })
  const largest = amounts.reduce((most, { amount }) => Math.max(most, amount), 0)
  const sum = amounts.reduce((all, it) => all + (it.isRefused ? 0 : it.amount), 0)
  const currency = values.get('payouts.currency')
  return `largest ${largest.toFixed(2)} ${currency}, together ${sum.toFixed(2)} ${currency} without those above the balance`
}

/** The requests of a probe by the switch that allows them, and the missing facts. */
export const describePlan = (steps: readonly Step[], values: Values, hasSteps: boolean): string => {
  const isPossible = (step: Step) => findMissing(step, values).length === 0
  const possible = steps.filter(isPossible)
  const lines = STEP_KINDS.map((kind) => {
    const own = possible.filter((it) => it.kind === kind)
    const count = `${kind}s: ${plural(countRequests(own), 'request')} at most`
    if (kind === 'read') return count
    const hasMoney = kind === 'payout' && values.has('payouts.currency')
    const money = hasMoney ? `; ${describeMoney(own, values)}` : ''
    return `${count}, with --allow-${kind}s${money}`
  })
  const missing = groupBy(
    steps.flatMap((step) => findMissing(step, values).map((name) => ({ name, step }))),
    ({ name }) => factOf(name),
  )
  for (const [name, list] of missing) {
    const ids = new Set(list.flatMap(({ step }) => step.settles))
    lines.push(`the facts lack ${name}, for ${[...ids].join(', ') || 'a decision'}`)
  }
  if (hasSteps)
    for (const { number, request, settles } of possible)
      lines.push(`${number}. ${request.method} ${request.path}: ${settles.join(', ')}`)
  return `${lines.join('\n')}\n`
}

export const describeRest = (steps: readonly Step[], { sent }: Progress, file: string): string => {
  const waits = new Set(
    steps.flatMap(({ number, hours }) => (hours && !sent.has(number) ? [hours] : [])),
  )
  return [
    ...[...waits].map((hours) => `${hours} hours after the payouts: --resume ${file}`),
    'Send deposits of 100.10, 100.02 and 5 to the address of an offramp. Move the rate before the first is converted',
    `and the second sent. Note both in the facts: --resume ${file} just before and after each`,
    '',
  ].join('\n')
}
