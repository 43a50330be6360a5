import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { batchPerTick } from './batch-per-tick.js'

const gather = () => {
  const handed: (readonly string[])[] = []
  const take = batchPerTick<string>((all) => handed.push(all))
  return { handed, take }
}

test('hands over at the end of a turn what came in it, in order', async () => {
  const { handed, take } = gather()
  const [a, b] = [{}, {}]
  take('first', a)
  take('second', b)
  take('third', a)
  expect(handed).toEqual([])
  await turn()
  expect(handed).toEqual([['first', 'second', 'third']])
  take('fourth', b)
  await turn()
  expect(handed.slice(1)).toEqual([['fourth']])
})

test('does not let wait what comes from one source alone', async () => {
  const { handed, take } = gather()
  const only = {}
  take('first', only)
  await turn()
  take('second', only)
  take('third', only)
  expect(handed).toEqual([['first'], ['second'], ['third']])
})

test('lets nothing overtake what is gathered', async () => {
  const { handed, take } = gather()
  const [a, b] = [{}, {}]
  take('first', a)
  take('second', a)
  take('third', b)
  take('fourth', b)
  await turn()
  expect(handed).toEqual([['first', 'second', 'third', 'fourth']])
})

test('starts a new batch while it hands one over', async () => {
  const handed: (readonly string[])[] = []
  const take = batchPerTick<string>((all) => {
    handed.push(all)
    if (handed.length === 1) take('behind', {})
  })
  take('first', {})
  await turn()
  await turn()
  expect(handed).toEqual([['first'], ['behind']])
})
