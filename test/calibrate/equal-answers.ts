import type { Entry } from './recorded-service.js'

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi

/** Without what differs from run to run; ids of fixtures stay. */
const mask = (text: string): string =>
  text
    .replace(UUID, (id) => (/^(?:1{8}|2{8})/.test(id) ? id : '#'))
    .replace(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d/g, 'T')
    .replace(/0x[0-9a-f]{40}/gi, '0x')
    .replace(
      /"(address|wallet_address|masked_details|reference|bank_txn_reference)":"[^"]*"/g,
      '"$1":"*"',
    )

const nameOf = ({ request: { method, url, postData } }: Entry): string =>
  mask(`${method} ${url} ${postData?.text ?? ''}`)

const answerOf = ({ response: { status, content } }: Entry): string =>
  mask(`${status} ${content.text}`)

/** The part of the requests that both services answer alike. */
export const compareAnswers = (live: readonly Entry[], ours: readonly Entry[]): number => {
  const left = new Map<string, string[]>()
  for (const entry of ours) {
    const name = nameOf(entry)
    left.set(name, [...(left.get(name) ?? []), answerOf(entry)])
  }
  const equal = live.filter((entry) => left.get(nameOf(entry))?.shift() === answerOf(entry))
  return equal.length / live.length
}
