import { expect, it } from 'vitest'
import { preferredType } from './accept.js'

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
])('%j likes %s best', (accept, type) => expect(preferredType(accept, TYPES)).toBe(type))
