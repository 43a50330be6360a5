{{import}}

// Each test has a world of its own. Run it in a scenario:
// npx sandramp run {{folder}}/scenarios/slow-payout.yaml -- {{command}}

test('a payout is made once, even if its first response is lost', async ({ world }) => {
  const payout = world.build.payout({ amount: '1500.00' })
  // Replace it by your own client, with `world.key` and `world.fetch`. The same id makes a retry safe.
  const pay = async (attempt = 1) => {
    const answer = await world
      .fetch('/payment/api/v1/payout', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(payout),
      })
      .catch(() => undefined)
    if (answer?.ok || attempt === 5) return answer
    await world.sleep(1_000 * attempt)
    return pay(attempt + 1)
  }
  await world.next('createPayout').loseResponse()
  await pay()
  await world.expect({ payouts: { status: 'PAYOUT_PROCESSED' }, count: 1 }, { until: 'idle' })
})
