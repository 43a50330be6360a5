import { expect, test } from 'vitest'
{{client}}
test.skipIf(!url)('a payout is made once, even if its first response is lost', async () => {
  const { status, made } = await payOnce()
  expect(status).toBe('PAYOUT_PROCESSED')
  expect(made).toBe(true)
})
