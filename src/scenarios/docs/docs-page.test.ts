import { describe, expect, test } from 'vitest'
import { parseScenario } from '../language/parse-scenario.js'
import { withScenarioDocs } from './docs-page.js'

const scenario = (name: string, more = '') =>
  parseScenario(
    `name: ${name}\ntitle: It is ${name}\nwhy: To see.\nrules:\n  - { when: payout.created, then: [{ stop: true }] }\n${more}`,
    name,
  )
const magic = parseScenario(
  `name: magic-values
title: Values
rules:
  - { when: user.created, if: { last_name: { ends_with: -Slow } }, then: [{ after: 1h, move: active }] }
  - when: transfer.created
    if: { account: { account_number: { starts_with: '00', ends_with: '1' } } }
    then: [{ move: FAILED }]
`,
  'magic-values',
)
const expecting = scenario(
  'first',
  'expect:\n  - { payouts: { amount: 5 }, count: { lte: 2 } }\n  - { audit: clean }\n',
)

describe('withScenarioDocs', () => {
  const page = withScenarioDocs('# By hand\n\nWords.\n', [expecting, magic, scenario('second')])

  test('keeps the handwritten part and is idempotent', () => {
    expect(page).toMatch(/^# By hand\n\nWords\.\n\n<!-- /)
    expect(withScenarioDocs(page, [expecting, magic, scenario('second')])).toBe(page)
    expect(withScenarioDocs(page, [magic])).not.toContain('### first')
  })

  test('shows title, purpose, diagram and expectations of each scenario', () => {
    expect(page).toContain(
      [
        '### first',
        '**It is first.** To see.',
        '```text\npayout.created: PAYOUT_PENDING ──┤ stays\n```',
        'Expects:',
        '- at most 2 payouts with amount 5\n- a clean audit',
        '### second',
      ].join('\n\n'),
    )
    expect(page).toContain('| [second](#second) | It is second |')
  })

  test('shows magic values as a table at the end', () => {
    expect(page).toMatch(
      /### magic-values\n\n\*\*Values\.\*\*\n\n\| of \| value \| what happens \|/,
    )
    expect(page).toContain('| user.created | `last_name` `…-Slow` | under_review ──1h──▶ active |')
    const last = '| transfer.created | `account.account_number` `00…1` | PENDING ──▶ FAILED |\n'
    expect(page.endsWith(last)).toBe(true)
  })
})
