import { sha256 } from '@noble/hashes/sha2.js'
import { hexToBytes } from '@noble/hashes/utils.js'
import { base58, createBase58check } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fixturesFolder } from '../lib/paths.js'
import { readFixtures } from '../runtime/seed-data/read-fixtures.js'
import { addressKey, type ChainFamily, deriveAddress, isAddress, maskAddress } from './addresses.js'

// The test cases of ERC-55.
const MIXED = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
]
const PLAIN = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
]

/** The contract of USDT on Tron, and the 20 bytes that it stands for. */
const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const TRON_BYTES = 'a614f803b6fd780986a42c78ec9c7f77e6ded13c'

const FAMILIES: readonly ChainFamily[] = ['evm', 'solana', 'tron']
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })

describe('addresses of EVM chains', () => {
  test.each([...MIXED, ...PLAIN])('isAddress accepts the checksum of %s', (address) => {
    expect(deriveAddress('evm', hexToBytes(address.slice(2).toLowerCase()))).toBe(address)
    expect(isAddress('evm', address)).toBe(true)
  })

  test.each(MIXED)('isAddress rejects %s with the wrong case in one letter', (address) => {
    const letters = [...address].flatMap((it, i) => (i > 1 && /[a-f]/i.test(it) ? [i] : []))
    for (const i of letters) {
      const letter = address[i] ?? ''
      const flipped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
      expect(isAddress('evm', address.slice(0, i) + flipped + address.slice(i + 1))).toBe(false)
    }
  })

  test.each(MIXED)('isAddress accepts %s without checksum, in one case', (address) => {
    expect(isAddress('evm', address.toLowerCase())).toBe(true)
    expect(isAddress('evm', `0x${address.slice(2).toUpperCase()}`)).toBe(true)
  })

  test.each([
    '',
    '0x',
    MIXED[0]?.slice(2) ?? '',
    `${MIXED[0]}0`,
    MIXED[0]?.slice(0, -1) ?? '',
    `0x${'g'.repeat(40)}`,
    `0X${'1'.repeat(40)}`,
    ` 0x${'1'.repeat(40)}`,
    `0x${'1'.repeat(40)}\n`,
  ])('isAddress rejects %j', (text) => expect(isAddress('evm', text)).toBe(false))
})

describe('addresses of Solana', () => {
  test('isAddress accepts base58 of 32 bytes', () => {
    expect(deriveAddress('solana', new Uint8Array(32))).toBe('1'.repeat(32))
    expect(isAddress('solana', '1'.repeat(32))).toBe(true)
    expect(isAddress('solana', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')).toBe(true)
  })

  test.each([
    ['1'.repeat(31), '31 bytes'],
    ['1'.repeat(33), '33 bytes'],
    ['0PjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'a nought, which base58 lacks'],
    ['lPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'an l, which base58 lacks'],
    ['', 'nothing'],
  ])('isAddress rejects %s: %s', (text) => expect(isAddress('solana', text)).toBe(false))
})

describe('addresses of Tron', () => {
  test('isAddress accepts base58check of 0x41 and 20 bytes', () => {
    expect(deriveAddress('tron', hexToBytes(TRON_BYTES))).toBe(TRON)
    expect(isAddress('tron', TRON)).toBe(true)
  })

  test('isAddress rejects a changed character', () => {
    for (let i = 0; i < TRON.length; i++) {
      const other = TRON[i] === '2' ? '3' : '2'
      expect(isAddress('tron', TRON.slice(0, i) + other + TRON.slice(i + 1))).toBe(false)
    }
  })

  test('isAddress rejects the prefix of another chain', () => {
    const bitcoin = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
    expect(base58.decode(bitcoin)).toHaveLength(25)
    expect(isAddress('tron', bitcoin)).toBe(false)
  })

  test.each([19, 21])('isAddress rejects base58check of %i bytes', (length) => {
    const text = createBase58check(sha256).encode(Uint8Array.of(0x41, ...new Uint8Array(length)))
    expect(isAddress('tron', text)).toBe(false)
  })
})

describe('deriveAddress', () => {
  test('returns an address of its own family only', () => {
    fc.assert(
      fc.property(bytes32, fc.constantFrom(...FAMILIES), (bytes, family) => {
        const address = deriveAddress(family, bytes)
        expect(FAMILIES.filter((it) => isAddress(it, address))).toEqual([family])
      }),
    )
  })
})

test('contracts of the shipped tokens have a checksum', () => {
  const { chains, tokens } = readFixtures(fixturesFolder)
  for (const { chain, contract_address: address } of tokens) {
    const family = chains.find(({ id }) => id === chain)?.family
    expect(family && isAddress(family, address)).toBe(true)
    if (family === 'evm') expect(deriveAddress('evm', hexToBytes(address.slice(2)))).toBe(address)
  }
})

describe('addressKey', () => {
  test('is equal for all spellings of a hex address only', () => {
    const [address = ''] = MIXED
    const spellings = [address, address.toLowerCase(), `0X${address.slice(2).toUpperCase()}`]
    expect(new Set(spellings.map(addressKey)).size).toBe(1)
    expect(addressKey(TRON)).toBe(TRON)
    expect(addressKey(TRON.toLowerCase())).not.toBe(addressKey(TRON))
  })
})

test('maskAddress keeps both ends', () => {
  expect(maskAddress(MIXED[0] ?? '')).toBe('0x5aAe****eAed')
})
