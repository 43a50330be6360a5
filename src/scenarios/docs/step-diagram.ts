import type { RequestStep } from '../faults/fault.js'
import type { RespondStep } from '../faults/respond.js'
import type { SubjectStep } from '../language/steps.js'

export const drawSteps = (steps: readonly SubjectStep[]): string =>
  steps.map((step) => (step.stop ? ' ──┤ stays' : ` ${arrow(step)} ${formatAction(step)}`)).join('')

const arrow = ({ after, after_reads: reads }: SubjectStep): string => {
  if (reads !== undefined) return `──${reads} ${reads === 1 ? 'read' : 'reads'}──▶`
  return after === undefined || after === '0s' ? '──▶' : `──${after}──▶`
}

const formatAction = ({
  move,
  reason,
  credit,
  deposit,
  set_key,
  ...details
}: SubjectStep): string => {
  if (move !== undefined) {
    const reasons = details.rejection_reasons?.map((it) => it.reason) ?? details.requirements ?? []
    return move + inBrackets([reason, ...reasons].filter(Boolean).join(', '))
  }
  if (credit)
    return credit.amount
      ? `credit of ${credit.amount} ${credit.currency ?? ''}`.trimEnd()
      : 'amount given back'
  if (deposit) {
    const { amount, crypto, chain, address } = deposit
    return [`deposit of ${amount}`, crypto, chain && `on ${chain}`, address && `at ${address}`]
      .filter(Boolean)
      .join(' ')
  }
  const { status, expires_at } = set_key ?? {}
  if (status !== undefined) return `key ${status}`
  return expires_at === '0s' ? 'key expires' : `key good ${formatExpiry(expires_at ?? '')}`
}

const formatExpiry = (expiry: string): string =>
  /^\d{4}-/.test(expiry) ? `until ${expiry}` : `for ${expiry}`

const HOLDS = {
  commit: (time: string) => `◷ held for ${time} before it is done`,
  answer: (time: string) => `◷ done, then held for ${time} before the answer`,
} as const

const DROPS = {
  before: '✂ cut before anything is done',
  after: '✂ done, then cut without an answer',
  mid_body: '✂ done, then cut in the middle of the answer',
} as const

const MALFORMS = {
  truncated_json: '≈ done, answered with half of the JSON',
  html: '≈ done, answered with a page of HTML',
  wrong_content_type: '≈ done, answered as text/plain',
  empty: '≈ done, answered with nothing',
} as const

export const drawRequestSteps = (steps: readonly RequestStep[]): string => {
  const throttle = steps.find((step) => step.throttle)?.throttle
  // A throttle sends its own response, unless a respond step has another.
  if (!throttle) return steps.map(drawRequestStep).join(', ')
  const { respond = { status: 429 } } = steps.find((step) => step.respond) ?? {}
  return `${drawResponse(respond)} beyond ${throttle.limit} in ${throttle.window}`
}

const drawRequestStep = (step: RequestStep): string => {
  const { respond, delay_ms: delay, hold, drop, hang, reset, patch, malform, trickle, stale } = step
  if (respond) return drawResponse(respond)
  if (delay !== undefined) return `◷ ${Array.isArray(delay) ? delay.join(' to ') : delay} ms late`
  if (hold) return HOLDS[hold.before](hold.for)
  if (hang) return hang === 'before' ? '… never answered' : '… done, then never answered'
  if (reset) return reset === 'before' ? '✂ reset before anything is done' : '✂ done, then reset'
  if (patch) return `≈ done, answered with another ${Object.keys(patch).join(', ')}`
  if (trickle) return `◷ body sent in pieces over ${trickle.over}`
  if (stale) return `≈ answered as of ${stale} earlier`
  if (drop) return DROPS[drop]
  return malform ? MALFORMS[malform] : ''
}

const drawResponse = ({ status, code, retry_after }: RespondStep): string => {
  const mark = status >= 400 ? '✕' : '✓'
  const wait =
    retry_after === undefined
      ? ''
      : `, retry after ${retry_after === 'rest' ? 'the rest' : retry_after}`
  return `${mark} ${status}${code === undefined ? '' : ` ${code}`}${wait}`
}

export const inBrackets = (text: string): string => (text ? ` (${text})` : '')
