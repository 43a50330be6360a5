import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'

const PAYOUT = '/payment/api/v1/payout'

const ANSWERS = `
payout.fee: { reading: deducted, said_by: Support, when: 2026-05-04, link: "https://example.com/1" }
time.form: { reading: milliseconds, said_by: Jo, when: 2026-05-05, note: By phone }
`

const folder = mkdtempSync(join(tmpdir(), 'sandramp-'))
afterAll(() => rmSync(folder, { recursive: true }))
const readingsFile = join(folder, 'answers.yaml')
writeFileSync(readingsFile, ANSWERS)

/** A sandbox whose team has got these answers. */
const openSettled = (readings: string[] = []) => openSandbox({ readingsFile, readings })

interface Shown {
  readonly active: string
  readonly hits: number
  readonly settled: unknown
}

test('answers are how every world starts, and goes on after a reset', async () => {
  const api = await openSettled()
  for (const _ of ['once', 'twice']) {
    const shown = await api.read<Shown>('/_sandbox/assumptions/payout.fee')
    expect(shown).toMatchObject({
      active: 'deducted',
      settled: {
        reading: 'deducted',
        by: 'Support',
        when: '2026-05-04',
        link: 'https://example.com/1',
        note: null,
      },
    })
    api.sandbox.reset()
  }
})

test('a response by a confirmed reading assumes nothing but is counted', async () => {
  const api = await openSettled()
  const answer = await api.post(PAYOUT, payoutRequest())
  expect(answer.headers.get('x-sandbox-assumed')).toBe(
    'payout.status=processed, payout.source=fiat',
  )
  expect(await api.read<Shown>('/_sandbox/assumptions/payout.fee')).toMatchObject({ hits: 1 })
})
