import { describe, expect, test } from 'vitest'
import {
  type AssumptionId,
  assumptionIds,
  DEFAULT_READINGS,
  readingNames,
} from '../../src/assumptions/ids.js'
import type { Sandbox } from '../../src/index.js'
import { keys } from '../support/fixture-ids.js'
import { openSandbox } from '../support/open-sandbox.js'
import { type AnswerCase, type Asked, answerCases } from './answers.js'

/**
 * `x-sandbox-assumed` is exact: an answer lists an assumption exactly when another reading of it changes
 * the answer. Each answer here is asked for again under every other reading of every assumption.
 */

/** Assumptions that an answer may list although no reading changes it, and why. */
const EXCEPTIONS: Partial<Record<AssumptionId, string>> = {
  'payout.fee': 'The fee leaves the balance of the user, which no answer of the service shows.',
  'payout.failed_fee': 'The fee returns to the balance of the user, which no answer shows.',
  'payout.source': 'The payout is the same whichever balance pays for it.',
  'transfer.failed_funds': 'The status says that a transfer failed, and not where its money went.',
  'payout.amount_limits':
    'No reading accepts more than 15 digits, but the limit itself is a guess.',
}

/** Headers of the contract; those of the sandbox itself say how it read the request. */
const HEADERS = ['content-type', 'allow', 'retry-after', 'location']

/** Differs from answer to answer whatever the readings. */
const REQUEST_ID = /"requestId":"[^"]*"/
/** The hint in the message of a refusal that each reading refuses: it names the forms that this reading accepts. */
const HINT = /Expected .*?(?= \| |","path")/g

const send = (sandbox: Sandbox, { method, path, body, key = keys.full, headers }: Asked) =>
  sandbox.fetch(path, {
    method,
    headers: {
      ...(key !== null && { 'x-api-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })

interface Choice {
  readonly id: AssumptionId
  readonly reading: string
}

/** The answer in a world that has these readings from the start. */
const answerUnder = async (
  sandbox: Sandbox,
  { asked, before }: AnswerCase,
  choices: readonly Choice[],
) => {
  sandbox.reset()
  for (const choice of choices) sandbox.run('reading.choose', choice)
  await before?.(sandbox, async (it) => (await send(sandbox, it)).text())
  const response = await send(sandbox, typeof asked === 'function' ? asked(sandbox) : asked)
  const headers = HEADERS.map((name) => response.headers.get(name))
  const body = (await response.text()).replace(REQUEST_ID, '').replace(HINT, '')
  const assumed = response.headers.get('x-sandbox-assumed') ?? ''
  return {
    shown: JSON.stringify([response.status, headers, body]),
    listed: assumed === '' ? [] : assumed.split(', ').map((it) => it.slice(0, it.indexOf('='))),
  }
}

/** Ids are drawn by the count of entries, so as many defaults are chosen as other readings. */
const defaultAnswer = (
  sandbox: Sandbox,
  it: AnswerCase,
  ids: readonly AssumptionId[] = ['time.form'],
) =>
  answerUnder(
    sandbox,
    it,
    ids.map((id) => ({ id, reading: DEFAULT_READINGS[id] })),
  )

/** The assumptions whose readings change the answer. Most change nothing, so they are tried together, then by halves. */
const findDecisive = async (
  sandbox: Sandbox,
  it: AnswerCase,
  choices: readonly Choice[],
): Promise<AssumptionId[]> => {
  const ids = choices.map(({ id }) => id)
  const { shown } = await answerUnder(sandbox, it, choices)
  if (shown === (await defaultAnswer(sandbox, it, ids)).shown) return []
  if (ids.length === 1) return ids
  const half = ids.length >> 1
  return [
    ...(await findDecisive(sandbox, it, choices.slice(0, half))),
    ...(await findDecisive(sandbox, it, choices.slice(half))),
  ]
}

const otherReadings = (id: AssumptionId): string[] =>
  readingNames(id).filter((it) => it !== DEFAULT_READINGS[id])

const MAX_OTHERS = Math.max(...assumptionIds.map((id) => otherReadings(id).length))

describe('x-sandbox-assumed lists what another reading changes, and nothing else', () => {
  test.each(answerCases)('$name', async (it) => {
    const { sandbox } = await openSandbox()
    const { listed } = await defaultAnswer(sandbox, it)
    const decisive = new Set<string>()
    for (let place = 0; place < MAX_OTHERS; place++) {
      const choices = assumptionIds.flatMap((id) => {
        const reading = decisive.has(id) ? undefined : otherReadings(id)[place]
        return reading === undefined ? [] : [{ id, reading }]
      })
      const isListed = ({ id }: Choice) => listed.includes(id)
      const alone = choices.filter(isListed).map((choice) => [choice])
      for (const group of [...alone, choices.filter((choice) => !isListed(choice))])
        for (const id of await findDecisive(sandbox, it, group)) decisive.add(id)
    }
    const noise = listed.filter((id) => !decisive.has(id) && !Object.hasOwn(EXCEPTIONS, id))
    const missed = [...decisive].filter((id) => !listed.includes(id))
    expect({ noise, missed }).toEqual({ noise: [], missed: [] })
  })
})

test('the compared responses cover all operations, successes and errors', async () => {
  const { sandbox } = await openSandbox()
  const granted = new Set<string>()
  const refused = new Set<string>()
  for (const it of answerCases) {
    await defaultAnswer(sandbox, it)
    const { operation, status } = sandbox.requests().at(-1) ?? {}
    if (operation)
      (status !== null && status !== undefined && status < 400 ? granted : refused).add(operation)
  }
  expect(answerCases.length).toBeGreaterThanOrEqual(40)
  expect(granted.size).toBe(11)
  expect([...refused].length).toBeGreaterThanOrEqual(9)
})
