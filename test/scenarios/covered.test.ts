import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { bundledNames, readBundledScenario } from '../../src/scenarios/language/bundled.js'

const folder = new URL('./', import.meta.url)
const tests = readdirSync(folder)
  .filter((file) => file.endsWith('.test.ts') && !file.startsWith('covered'))
  .map((file) => readFileSync(new URL(file, folder), 'utf8'))
  .join('\n')

/** A boolean: a failure must not print all tests. */
const isTested = (name: string): boolean => tests.includes(`'${name}'`)

describe.each(bundledNames())('%s', (name) => {
  const { title, why, rules, expect: expected } = readBundledScenario(name)

  test('has a title and a purpose', () => {
    expect(title).toMatch(/^[A-Z][^.]+$/)
    expect(why).toMatch(/^[A-Z].{40,}\.$/)
  })

  test('has a test and expectations', () => {
    if (name === 'magic-values') return expect(expected).toEqual([])
    expect(expected.length).toBeGreaterThan(name === 'happy-path' ? 0 : 1)
    expect(isTested(name), `no test in test/scenarios names '${name}'`).toBe(true)
  })

  test('uses no patterns and matches only named operations', () => {
    expect(JSON.stringify(rules)).not.toContain('"matches"')
    for (const rule of rules) {
      if (rule.when === 'request') expect(rule.if).toHaveProperty('operation')
    }
  })
})
