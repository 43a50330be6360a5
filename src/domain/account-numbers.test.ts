import { expect, test } from 'vitest'
import { isIban, maskNumber } from './account-numbers.js'

test.each([
  'DE89370400440532013000',
  'AT611904300234573201',
  'BE68539007547034',
  'GB29NWBK60161331926819',
  'MT84MALT011000012345MTLCAST001S',
])('isIban accepts %s', (text) => {
  expect(isIban(text)).toBe(true)
})

test.each([
  ['a wrong digit', 'DE89370400440532013001'],
  ['two digits that changed places', 'DE89370400440532010300'],
  ['lower case', 'de89370400440532013000'],
  ['blanks', 'DE89 3704 0044 0532 0130 00'],
  ['check digits that none has', 'AT991904300234570092'],
  ['no country', '89370400440532013000'],
  ['too few characters', 'BE6853900754'],
  ['too many characters', `DE89${'0'.repeat(31)}`],
  ['nothing', ''],
])('isIban rejects an IBAN with %s', (_, text) => {
  expect(isIban(text)).toBe(false)
})

test.each([
  ['1234', '****'],
  ['12345', '****2345'],
  ['NL91ABNA0417', '****0417'],
  ['NL91ABNA04171', 'NL91****4171'],
  ['0123456789012345', '****2345'],
  ['DE89 3704 0044 0532 0130 00', 'DE89****3000'],
  ['😀😀😀😀😀', '****😀😀😀😀'],
])('maskNumber shows %s as %s', (number, masked) => {
  expect(maskNumber(number)).toBe(masked)
})
