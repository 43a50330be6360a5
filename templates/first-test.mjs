{{import}}

// Each test has a world of its own. Run it in a scenario:
// npx sandramp run {{folder}}/scenarios/lost-response.yaml -- {{command}}

/** Replace it by your own client, with `world.key` and `world.fetch`. The same id makes a retry safe. */
const pay = async (world, payout, tries = 3) => {
  try {
    const response = await world.fetch('/payment/api/v1/payout', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payout),
    })
    return await response.json()
  } catch (error) {
    if (tries === 1) throw error
    return pay(world, payout, tries - 1)
  }
}

test('a payout is made once, even if its first response is lost', async ({ world }) => {
  await world.next('createPayout').loseResponse()
  await pay(world, world.build.payout({ amount: '1500.00' }))
  await world.expect({ payouts: { status: 'PAYOUT_PROCESSED' }, count: 1 })
})
