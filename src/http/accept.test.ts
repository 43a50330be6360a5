import { expect, it } from 'vitest'
import { accepts, preferred } from './accept.js'

const TYPES = ['application/json', 'text/html', 'text/markdown'] as const

it.each([
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['text/html', 'text/html'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
  ['text/*', 'text/html'],
  ['TEXT/Markdown', 'text/markdown'],
  ['text/markdown;q=0.5, text/html;q=0.2', 'text/markdown'],
  ['text/html;q=0, */*;q=0.1', 'application/json'],
  ['text/*;q=0.9, text/html;q=0.1', 'text/markdown'],
  ['image/png', 'application/json'],
  ['text/html;q=x', 'application/json'],
])('%j likes %s best', (accept, type) => expect(preferred(accept, TYPES)).toBe(type))

it.each([
  [undefined, true],
  ['', true],
  ['*/*', true],
  ['application/*;q=0.1', true],
  ['text/html, application/json', true],
  ['TEXT/HTML, APPLICATION/JSON', true],
  ['text/html', false],
  ['application/xml, text/*', false],
  ['application/json;q=0, */*', false],
  ['*/*;q=0', false],
])('of %s JSON is let pass: %s', (accept, passes) => {
  expect(accepts(accept, 'application/json')).toBe(passes)
})
