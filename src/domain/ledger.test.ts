import { describe, expect, test } from 'vitest'
import { ALL_WALLETS, Balances, type LedgerRecord, type Posting } from './balance-index.js'

const into = (to: string, amount: string, from = 'outside'): Posting => ({
  from,
  to,
  asset: 'USD',
  amount,
})
const record = (...postings: Posting[]): LedgerRecord => ({
  id: 'credit:a',
  n: 1,
  movements: postings,
})

const shown = (balances: Balances, account: string): string | undefined =>
  balances.of(account).get('USD')?.amount.toFixed()

describe('Balances', () => {
  test('sums postings of users and wallets only', () => {
    const balances = new Balances()
    const postings = [into('user:a', '10'), into('user:b', '4', 'user:a'), into('wallet:w', '3')]
    balances.change(undefined, record(...postings, into('wallet:v', '1', 'wallet:w')))
    const accounts = ['user:a', 'user:b', 'wallet:w', 'wallet:v', ALL_WALLETS, 'outside']
    expect(accounts.map((it) => shown(balances, it))).toEqual(['6', '4', '2', '1', '3', undefined])
  })

  test('keeps a balance of zero, and drops a balance whose postings are undone', () => {
    const balances = new Balances()
    const [come, gone] = [into('user:a', '10'), into('outside', '10', 'user:a')]
    balances.change(undefined, record(come))
    balances.change(record(come), record(come, gone))
    expect(shown(balances, 'user:a')).toBe('0')
    balances.change(record(come, gone), record(come))
    expect(shown(balances, 'user:a')).toBe('10')
    balances.change(record(come), undefined)
    expect(balances.of('user:a').size).toBe(0)
  })

  test('follows a replaced record', () => {
    const balances = new Balances()
    const [first, other, last] = ['10', '4', '1'].map((amount) => into('user:a', amount))
    if (!first || !other || !last) throw new Error('three were made')
    balances.change(undefined, record(first, other))
    balances.change(record(first, other), record({ ...first }, last, { ...last, to: 'user:b' }))
    expect([shown(balances, 'user:a'), shown(balances, 'user:b')]).toEqual(['11', '1'])
    balances.change(record(first, last, { ...last, to: 'user:b' }), record(first, last))
    expect(shown(balances, 'user:a')).toBe('11')
    expect(balances.of('user:b').size).toBe(0)
  })

  test('leaves the balances of its base unchanged', () => {
    const base = new Balances()
    base.change(undefined, record(into('user:a', '10')))
    const layer = new Balances(base, 'layer')
    layer.change(undefined, record(into('user:a', '5')))
    layer.change(undefined, record(into('user:a', '1')))
    expect([shown(base, 'user:a'), shown(layer, 'user:a')]).toEqual(['10', '16'])
    const copy = new Balances(layer, 'copy')
    copy.change(undefined, record(into('user:a', '4')))
    expect([shown(layer, 'user:a'), shown(copy, 'user:a')]).toEqual(['16', '20'])
  })
})
