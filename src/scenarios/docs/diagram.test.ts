import { describe, expect, test } from 'vitest'
import { parseScenario } from '../language/parse-scenario.js'
import type { Rule } from '../language/rules.js'
import { describeTrigger, renderDiagram } from './diagram.js'

const draw = (...rules: string[]): string =>
  renderDiagram(
    parseScenario(`name: a\ntitle: b\nrules:\n${rules.map((it) => `  - ${it}\n`).join('')}`, 'a'),
  )

describe('the diagram of an event rule shows the path of the record', () => {
  test.each([
    [
      '{ when: transfer.created, then: [{ after: 2s, move: FUNDS_RECEIVED }, { move: FAILED, reason: x }] }',
      'transfer.created: PENDING ──2s──▶ FUNDS_RECEIVED ──▶ FAILED (x)',
    ],
    [
      '{ when: transfer.created, then: [{ after_reads: 1, move: CANCELLED }] }',
      'transfer.created: PENDING ──1 read──▶ CANCELLED',
    ],
    [
      '{ when: transfer.created, then: [{ after_reads: 3, move: CANCELLED }] }',
      'transfer.created: PENDING ──3 reads──▶ CANCELLED',
    ],
    [
      '{ when: transfer.moved, if: { status: [FUNDS_RECEIVED, PENDING], fees: { gte: 1 } }, then: [{ move: FAILED }] }',
      'transfer.moved (fees of at least 1): FUNDS_RECEIVED|PENDING ──▶ FAILED',
    ],
    [
      '{ when: transfer.moved, if: { status: { ne: PENDING } }, then: [{ stop: true }] }',
      'transfer.moved (status other than PENDING): ──┤ stays',
    ],
    [
      '{ when: user.created, then: [{ move: rejected, rejection_reasons: [{ reason: No photo }] }] }',
      'user.created: under_review ──▶ rejected (No photo)',
    ],
    [
      '{ when: user.created, then: [{ after: 1h, move: incomplete, requirements: [a, b] }] }',
      'user.created: under_review ──1h──▶ incomplete (a, b)',
    ],
    [
      '{ when: payout.created, then: [{ move: PAYOUT_PROCESSED }, { after: 1d, credit: {} }] }',
      'payout.created: PAYOUT_PENDING ──▶ PAYOUT_PROCESSED ──1d──▶ amount given back',
    ],
    [
      '{ when: wallet.created, then: [{ credit: { currency: EUR, amount: 10 } }] }',
      'wallet.created: ──▶ credit of 10 EUR',
    ],
    [
      '{ when: consent.created, then: [{ deposit: { amount: 5, address: x, crypto: USDC, chain: base } }] }',
      'consent.created: ──▶ deposit of 5 USDC on base at x',
    ],
    [
      '{ when: consent.created, then: [{ set_key: { status: suspended } }] }',
      'consent.created: ──▶ key suspended',
    ],
    [
      "{ when: consent.created, then: [{ set_key: { expires_at: '2027-01-01T00:00:00Z' } }] }",
      'consent.created: ──▶ key good until 2027-01-01T00:00:00Z',
    ],
    [
      '{ when: payout.created, skip: 2, limit: 1, per: user_id, chance: 0.5, then: [{ stop: true }] }',
      'payout.created: PAYOUT_PENDING ──┤ stays (not the first 2, then 1 time, by a chance of 0.5, for each user_id)',
    ],
  ])('%s', (rule, drawing) => expect(draw(rule)).toBe(drawing))
})

describe('the diagram of a request rule shows its effects', () => {
  test.each([
    ['{ when: request, then: [{ drop: before }] }', 'any request: ✂ cut before anything is done'],
    [
      '{ when: request, if: { operation: createPayout, body: { currency: NGN } }, limit: 3, then: [{ respond: { status: 503, code: "5030", retry_after: 5s } }] }',
      'createPayout (body.currency NGN): ✕ 503 5030, retry after 5s (the first 3 times), then as usual',
    ],
    [
      '{ when: request, if: { operation: [createPayout, listUsers] }, then: [{ delay_ms: [1, 20] }, { malform: html }] }',
      'createPayout, listUsers: ◷ 1 to 20 ms late, ≈ done, answered with a page of HTML',
    ],
    [
      '{ when: request, during: { after: start, from: 30s, for: 10m }, then: [{ respond: { status: 503, retry_after: rest } }] }',
      'any request: ✕ 503, retry after the rest (from 30s after the start on, for 10m)',
    ],
    [
      '{ when: request, limit: 1, during: { after: payout.created }, then: [{ drop: before }] }',
      'any request: ✂ cut before anything is done (the first time, from payout.created on), then as usual',
    ],
    [
      '{ when: request, then: [{ patch: { status: ON_HOLD, fees: absent } }] }',
      'any request: ≈ done, answered with another status, fees',
    ],
    [
      '{ when: request, then: [{ trickle: { over: 5s } }] }',
      'any request: ◷ body sent in pieces over 5s',
    ],
    [
      '{ when: request, if: { operation: listUsers }, then: [{ stale: 30s }] }',
      'listUsers: ≈ answered as of 30s earlier',
    ],
    ['{ when: request, then: [{ hang: after }] }', 'any request: … done, then never answered'],
    [
      '{ when: request, then: [{ reset: before }] }',
      'any request: ✂ reset before anything is done',
    ],
    [
      '{ when: request, then: [{ hold: { before: commit, for: 1s } }, { hold: { before: answer, for: 400ms } }] }',
      'any request: ◷ held for 1s before it is done, ◷ done, then held for 400ms before the answer',
    ],
    [
      '{ when: request, if: { operation: { starts_with: get } }, then: [{ respond: { status: 204 } }] }',
      'operation starting with get: ✓ 204',
    ],
    [
      '{ when: request, if: { operation: [createPayout, createUser, createConsent, listUsers, getCryptoBalance] }, then: [{ throttle: { limit: 2, window: 1m } }] }',
      'createPayout, createUser, createConsent and 2 more: ✕ 429 beyond 2 in 1m',
    ],
    [
      '{ when: request, then: [{ throttle: { limit: 2, window: 1m } }, { respond: { status: 503, code: "5031", retry_after: 5s } }] }',
      'any request: ✕ 503 5031, retry after 5s beyond 2 in 1m',
    ],
  ])('%s', (rule, drawing) => expect(draw(rule)).toBe(drawing))

  test('leads to the next rule when it is exhausted', () => {
    const rule = (operation: string, limit: number) =>
      `{ when: request, if: { operation: ${operation} }, limit: ${limit}, then: [{ malform: empty }] }`
    const lines = draw(
      rule('createPayout', 1),
      rule('listUsers', 1),
      rule('createPayout', 2),
    ).split('\n')
    expect(lines.map((line) => /then as \w+$/.exec(line)?.[0])).toEqual([
      'then as below',
      'then as usual',
      'then as usual',
    ])
  })
})

test.each<[Rule, string]>([
  [{ when: 'user.created', then: [] }, 'user.created'],
  [
    { when: 'request', if: { operation: 'createPayout', status: 503 }, limit: 1, then: [] } as Rule,
    'createPayout requests with status 503',
  ],
  [
    { when: 'payout.created', if: { amount: { gte: 1000 } }, skip: 2, then: [] },
    'payout.created with amount of at least 1000 (not the first 2)',
  ],
])('describeTrigger says what %j waits for', (rule, words) => {
  expect(describeTrigger(rule)).toBe(words)
})
