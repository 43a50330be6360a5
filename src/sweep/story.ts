import type { LoggedExchange } from '../history/views.js'
import { idIn, operationOf } from './calls.js'
import type { Judged, Kind } from './judge.js'
import type { EndedRun, EndedWorld } from './run-cell.js'

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
  const own = findings.filter((it) => it.world === world)
  const others = new Set(findings.map((it) => it.world)).size - 1
  const where = `, in ${world?.label}${others > 0 ? ` and ${others} more` : ''}`
  return [
    `${call.name} ${fault.does}${world?.label ? where : ''}:`,
    ...(world ? requestLines(world, call.operation) : []),
    ...own.slice(0, MAX_TEXTS).map(({ text }) => text),
    describeEnd(ended, world),
    ...(worst ? [`mend: ${MEND[worst.kind]}`, `      docs/recipes/sweep.md#${worst.kind}`] : []),
  ]
}

/** The call that met the fault, and its repeats. */
const requestLines = ({ requests, fired = 0 }: EndedWorld, operation: string): string[] => {
  const hit = requests.find(
    ({ entries }) => entries && entries.from <= fired && fired <= entries.to,
  )
  const shown = requests.filter((it) => operationOf(it) === operation && it.n >= (hit?.n ?? 0))
  const lines = shown.slice(0, MAX_REQUESTS).map((it) => {
    const mark = it === hit ? '   ← fault' : ''
    const what = describeContent(it, hit)
    return `${String(it.n).padStart(4)}  ${operation}  ${what}  → ${describeAnswer(it)}${mark}`
  })
  const more = shown.length - lines.length
  return more > 0 ? [...lines, `      … and ${more} more`] : lines
}

/** `1500.00 NGN, id 2ff28c51`, or `the same with another id, 5f42c0af` */
const describeContent = (it: LoggedExchange, hit: LoggedExchange | undefined): string => {
  const [id, body] = [idIn(it), Object(it.request.body)]
  const shortId = id?.slice(0, 8)
  if (hit && it !== hit) {
    const asSent = JSON.stringify(hit.request.body)
    if (JSON.stringify(body) === asSent) return 'the same'
    if (JSON.stringify({ ...body, customer_payout_id: idIn(hit) }) === asSent)
      return `the same with another id, ${shortId}`
  }
  const { amount, currency } = body
  return [amount && `${amount} ${currency}`, id && `id ${shortId}`].filter(Boolean).join(', ')
}

const describeAnswer = ({ status, response, aborted_ms }: LoggedExchange): string => {
  if (aborted_ms !== null) return `no answer for ${aborted_ms} ms`
  const { status: state, message = '' } = Object(response.body)
  return status === null ? 'no answer' : `${status} ${state ?? message}`
}

const describeEnd = (ended: EndedRun, world: EndedWorld | undefined): string => {
  const claim = ended.claims.find(({ about }) => about === world?.id)
  if (claim) return `the test ${claim.says}`
  const { exit, output } = ended
  const how = exit.kind === 'exited' ? `exit code ${exit.code}` : exit.kind.replace('_', ' ')
  const said = output.trimEnd().split('\n').at(-1)?.slice(0, MAX_WORDS)
  return `the command: ${how}${said && `, and it said: ${said}`}`
}
