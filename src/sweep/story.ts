import { bodyValue } from '../history/bodies.js'
import type { LogRecord } from '../history/log-record.js'
import { operationOf } from './calls.js'
import type { Judged, Kind } from './judge.js'
import { type EndedRun, type EndedWorld, formatExit } from './run-cell.js'

const MEND: Readonly<Record<Kind, string>> = {
  'paid-twice': 'store the customer_payout_id first, and repeat it until an answer is clear',
  lost: 'report paid only after PAYOUT_PROCESSED; repeat or report everything else',
  'false-claim': 'an error is an unknown outcome: ask again under the same id before you report',
  'end-unseen': 'poll until a final status, or report the payment as pending',
  hangs: 'repeat only 429, 5xx and lost answers, and limit the attempts',
  unlearned: 'repeat the request under the same id until its answer arrives, or fail',
  'retry-after': 'wait as long as the header retry-after says',
  unsure: 'read the output: does a person learn that an outcome is unknown?',
}

const MAX_REQUESTS = 4
const MAX_TEXTS = 2
const MAX_WORDS = 60

/** The requests around the fault, what they lead to, and how to mend it. */
export const storyLines = ({ cell: { call, fault }, ended, findings }: Judged): string[] => {
  const [worst] = findings
  const world = worst?.world ?? ended.worlds.find(({ fired }) => fired !== undefined)
  return [
    `${call.name} ${fault.does}${world?.name ? `, in "${world.name}"` : ''}:`,
    ...(world ? requestLines(world, call.operation) : []),
    ...findings.slice(0, MAX_TEXTS).map(({ text }) => text),
    describeEnd(ended, world),
    ...(worst ? [`mend: ${MEND[worst.kind]}`, `      docs/recipes/sweep.md#${worst.kind}`] : []),
  ]
}

/** The call that met the fault, and its repeats. */
const requestLines = ({ requests, fired = 0 }: EndedWorld, operation: string): string[] => {
  const hit = requests.find(({ from, to }) => from <= fired && fired <= to)
  const shown = requests.filter((it) => operationOf(it) === operation && it.n >= (hit?.n ?? 0))
  const lines = shown.slice(0, MAX_REQUESTS).map((it) => {
    const mark = it === hit ? '   ← fault' : ''
    const what = describeContent(it, hit)
    return `${String(it.n).padStart(4)}  ${operation}  ${what}  → ${describeAnswer(it)}${mark}`
  })
  const more = shown.length - lines.length
  return more > 0 ? [...lines, `      … and ${more} more`] : lines
}

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (body: LogRecord['body']): Fields => Object(bodyValue(body))

/** `1500.00 NGN, id 2ff28c51`, or `the same with another id, 5f42c0af` */
const describeContent = (it: LogRecord, hit: LogRecord | undefined): string => {
  const { customer_payout_id: id, ...content } = fieldsOf(it.body)
  const shortId = String(id).slice(0, 8)
  if (hit && it !== hit) {
    const { customer_payout_id: hitId, ...hitContent } = fieldsOf(hit.body)
    if (JSON.stringify(content) === JSON.stringify(hitContent))
      return id === hitId ? 'the same' : `the same with another id, ${shortId}`
  }
  const { amount, currency } = content
  return [amount && `${amount} ${currency}`, id && `id ${shortId}`].filter(Boolean).join(', ')
}

const describeAnswer = ({ status, answer, aborted_ms }: LogRecord): string => {
  if (aborted_ms !== undefined) return `no answer for ${aborted_ms} ms`
  const { status: state, message = '' } = fieldsOf(answer)
  return status === null ? 'no answer' : `${status} ${state ?? message}`
}

const describeEnd = (ended: EndedRun, world: EndedWorld | undefined): string => {
  const claim = ended.claims.find(({ about }) => about === world?.id)
  if (claim) return `the test ${claim.says}`
  const said = ended.output.trimEnd().split('\n').at(-1)?.slice(0, MAX_WORDS)
  return `the command: ${formatExit(ended)}${said && `, and it said: ${said}`}`
}
