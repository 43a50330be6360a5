import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { dataFile } from '../support/data-folder.js'

it('smoke', async () => {
  const data = dataFile()
  const one = await createSandbox({ data, clock: 'manual' })
  expect(existsSync(data)).toBe(true)
  expect(existsSync(`${data}.journal`)).toBe(true)
  one.run('balance.credit', {
    user_id: '11111111-1111-4111-8111-000000000001',
    currency: 'NGN',
    amount: '5.00',
  })
  await one.flushed()
  console.log(readFileSync(`${data}.journal`, 'utf8'))
  const rows = one.tables.ledger.all()
  const { seed } = one
  await one.close()
  console.log(readFileSync(data, 'utf8').slice(0, 500))
  console.log(readFileSync(data, 'utf8').slice(-1500))
  console.log(readFileSync(`${data}.journal`, 'utf8'))
  const two = await createSandbox({ data })
  expect(two.tables.ledger.all()).toEqual(rows)
  expect(two.seed).toBe(seed)
  await two.close()
})
