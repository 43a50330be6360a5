import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createNameClient } from './clients.js'

const nameOf = (remoteAddress: string, forwarded?: string, trusted: readonly string[] = []) => {
  const socket = { remoteAddress } as Socket
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  return createNameClient(trusted)({ socket, headers })
}

describe('the name of a client', () => {
  test.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])(
    'is missing for the loopback address %s, which has no limits',
    (address) => expect(nameOf(address)).toBeUndefined(),
  )

  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::9', '2001:db8:1:2'],
    ['2001:db8::9', '2001:db8:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ])('of the address %s is %s', (address, name) => expect(nameOf(address)).toBe(name))

  test('ignores x-forwarded-for of an address that is not trusted', () => {
    expect(nameOf('203.0.113.7', '198.51.100.1')).toBe('203.0.113.7')
    expect(nameOf('203.0.113.7', '198.51.100.1', ['203.0.113.8'])).toBe('203.0.113.7')
  })

  test.each([
    ['198.51.100.1', '198.51.100.1'],
    ['1.2.3.4, 198.51.100.1', '198.51.100.1'],
    ['1.2.3.4, 198.51.100.1, 10.9.9.9,fd00::5', '198.51.100.1'],
    ['2001:db8::9', '2001:db8:0:0'],
    ['198.51.100.1:50123', '198.51.100.1'],
    ['127.0.0.2', '127.0.0.2'],
    ['10.9.9.9', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('behind trusted proxies with x-forwarded-for %j is %s', (forwarded, name) => {
    const trusted = ['10.0.0.0/8', 'fd00::/8', '127.0.0.1']
    for (const proxy of ['10.1.2.3', '::ffff:10.1.2.3', 'fd00::2', '127.0.0.1'])
      expect(nameOf(proxy, forwarded, trusted)).toBe(name)
  })
})
