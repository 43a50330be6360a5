import { describe, expect, test, vi } from 'vitest'
import { openOwnSandbox } from '../support/open-sandbox.js'
import { newPayouts, PAYOUT, pay, payoutOf, send } from '../support/scenario-client.js'

/** Connections that are really cut, as a client over a port meets them. */
const overPort = (name: string) => openOwnSandbox({ scenarios: [name], over: 'http' })

describe('over a port', () => {
  test('committed-then-cut closes the connection without a response', async () => {
    const api = await overPort('committed-then-cut')
    await expect(send(api, PAYOUT, payoutOf(1))).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(newPayouts(api)).toHaveLength(1)
    expect(await pay(api, () => 1)).toBe(1)
    expect(newPayouts(api)).toHaveLength(1)
  })

  test('garbled-responses breaks off in the middle of the body', async () => {
    const logged = vi.spyOn(console, 'error')
    const api = await overPort('garbled-responses')
    const ask = () => send(api, PAYOUT, payoutOf(1))
    const half = await ask()
    expect(half.text).not.toBe('')
    expect(() => JSON.parse(half.text)).toThrow()
    expect((await ask()).headers.get('content-type')).toBe('text/html')
    expect((await ask()).text).toBe('')
    expect((await ask()).headers.get('content-type')).toBe('text/plain')
    await expect(ask()).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect((await ask()).status).toBe(200)
    expect(newPayouts(api)).toHaveLength(1)
    expect(logged).not.toHaveBeenCalled()
  })
})
