import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.doUnmock('node:timers')
  vi.resetModules()
})

test('what is to run soon does so where timers were faked before', async () => {
  vi.resetModules()
  const faked = { setImmediate: () => ({}), clearImmediate: () => undefined }
  vi.doMock('node:timers', () => faked)
  const { soon } = await import('./clock.js')
  await new Promise<void>((resolve) => soon(resolve))
})

test('otherwise it runs behind all that is at hand', async () => {
  const { soon } = await import('./clock.js')
  const ran: string[] = []
  const done = new Promise<void>((resolve) => {
    soon(() => {
      ran.push('soon')
      resolve()
    })
  })
  await Promise.resolve()
  process.nextTick(() => ran.push('tick'))
  await done
  expect(ran).toEqual(['tick', 'soon'])
})
