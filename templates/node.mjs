import assert from 'node:assert/strict'
import { test } from 'node:test'
{{client}}
test('a payout is made once, even if its first response is lost', { skip: !url }, async () => {
  const { status, made } = await payOnce()
  assert.equal(status, 'PAYOUT_PROCESSED')
  assert.equal(made, true)
})
