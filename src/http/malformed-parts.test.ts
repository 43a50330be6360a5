import { expect, it } from 'vitest'
import { findMalformedPart } from './malformed-parts.js'

const HOST = { host: 'localhost' }
const ACCEPTED =
  'accepted: a path such as /payment/api/v1/payout, or an address with one that begins with http:// or https://'

it.each([
  ['*', '"*"'],
  ['http://[', '"http://["'],
  ['ftp://localhost/', '"ftp://localhost/"'],
  ['/a\\b', '"/a\\\\b"'],
])('a target that is none is told: %s', (url, shown) => {
  expect(findMalformedPart({ url, headers: HOST })).toBe(
    `the request target ${shown} came; ${ACCEPTED}`,
  )
})

it.each([
  [undefined, 'without a Host'],
  ['', 'without a Host'],
  ['a b', 'with Host "a b"'],
  ['localhost:', 'with Host "localhost:"'],
])('else it is the Host: %j', (host, told) => {
  const headers = host === undefined ? {} : { host }
  expect(findMalformedPart({ url: '/users?a=\\', headers })).toBe(
    `the request came ${told}; accepted: a name or address and, where it is not that of the scheme, the port, as localhost:4020`,
  )
})
