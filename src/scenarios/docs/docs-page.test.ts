import { describe, expect, test } from 'vitest'
import { parseScenario } from '../language/parse-scenario.js'
import { withScenarioDocs } from './docs-page.js'

const scenario = (name: string) =>
  parseScenario(
    `name: ${name}\ntitle: It is ${name}\nwhy: To see ${name}.\nrules:\n  - { when: payout.created, then: [{ stop: true }] }\n`,
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

describe('withScenarioDocs', () => {
  const scenarios = [scenario('first'), magic, scenario('second')]
  const page = withScenarioDocs('# By hand\n\nWords.\n', scenarios)

  test('keeps the handwritten part and is idempotent', () => {
    expect(page).toMatch(/^# By hand\n\nWords\.\n\n<!-- /)
    expect(withScenarioDocs(page, scenarios)).toBe(page)
    expect(withScenarioDocs(page, [magic])).not.toContain('first')
  })

  test('shows the title of each scenario beside a link to its file', () => {
    expect(page).toContain(
      [
        '| [first](../../scenarios/first.yaml) | It is first |',
        '| [second](../../scenarios/second.yaml) | It is second |',
      ].join('\n'),
    )
  })

  test('shows magic values as a table at the end', () => {
    expect(page).toContain('### magic-values\n\nValues\n\n| of | value | what happens |')
    expect(page).toContain('| user.created | `last_name` `…-Slow` | under_review ──1h──▶ active |')
    const last = '| transfer.created | `account.account_number` `00…1` | PENDING ──▶ FAILED |\n'
    expect(page.endsWith(last)).toBe(true)
  })
})
