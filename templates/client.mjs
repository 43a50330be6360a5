
// `sandramp run` sets the URL. Run it: npx sandramp run -- {{command}}
const url = process.env.SANDRAMP_URL

const post = async (key, path, body) => {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.json()
}

/** Replace it by your own client. The same id makes the retry safe. */
const pay = (key, payout) => {
  const send = () => post(key, '/payment/api/v1/payout', payout)
  return send().catch(send)
}

/** Pays in a world of its own: each key `SandboxWorld…` opens one. */
const payOnce = async () => {
  const key = `SandboxWorld${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}`
  const { status } = await pay(key, {
    user_id: '11111111-1111-4111-8111-000000000001',
    customer_payout_id: crypto.randomUUID(),
    currency: 'NGN',
    amount: '1500.00',
    recipient_details: {
      bank_name: 'Marina Test Bank',
      account_holder_name: 'Ada Okafor',
      recipient_account_number: '0690000031',
    },
  })
  const expectation = { payouts: { status: 'PAYOUT_PROCESSED' }, count: 1 }
  const { ok } = await post(key, '/_sandbox/verify', { expect: [expectation] })
  return { status, made: ok }
}
