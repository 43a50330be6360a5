// Bug: no answer counts as not paid, and the money goes back to its own user.
import { Client } from './payday.mjs'

await new (class extends Client {
  async pay(bill) {
    const { status, whole, data } = await this.attempt(
      'POST',
      '/payment/api/v1/payout',
      this.bodyOf(bill, 0),
    )
    if (status === undefined || !whole) return 'refunded'
    if (status === 429 || status >= 500) return super.pay(bill)
    return status < 300 && data.status !== 'PAYOUT_FAILED' ? super.pay(bill) : 'failed'
  }
})().payday()
