import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSandbox, type Sandbox } from '../../src/index.js'

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await createSandbox({ clock: 'manual' })
})

afterAll(() => sandbox.close())

const FILES = ['start.js', 'scalar.js', 'provenance.js', 'style.css', 'icon.svg']
const PATHS = ['/reference', ...FILES.map((name) => `/reference/${name}`)]

describe.each(PATHS)('%s', (path) => {
  test('runs and shows nothing but what the sandbox serves', async () => {
    const response = await sandbox.fetch(path)
    expect(response.status).toBe(200)
    const policy = response.headers.get('content-security-policy')?.split('; ')
    expect(policy).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ])
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin')
  })

  test('is sent once', async () => {
    const etag = (await sandbox.fetch(path)).headers.get('etag') ?? ''
    const again = await sandbox.fetch(path, { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
  })
})

test('the page holds no script of its own', async () => {
  const page = await (await sandbox.fetch('/reference')).text()
  expect(page.match(/<script[^>]*>/g)).toEqual([
    '<script src="/reference/scalar.js">',
    '<script src="/reference/provenance.js">',
    '<script src="/reference/start.js">',
  ])
  expect(page).not.toMatch(/<style|\son\w+=|https?:/)
})

test('the start file starts Scalar on this sandbox alone', async () => {
  const start = await (await sandbox.fetch('/reference/start.js')).text()
  expect(start).toContain('Scalar.createApiReference(')
  expect(start).not.toMatch(/https?:/)
})

test('a slash at the end does no harm', async () => {
  const response = await sandbox.fetch('/reference/')
  expect([response.status, response.headers.get('location')]).toEqual([302, '/reference'])
})
