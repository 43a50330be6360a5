// Bug: an exception is swallowed, one attempt is made, and the job says that it paid.
import { Client } from './payday.mjs'

await new (class extends Client {
  async pay(bill) {
    try {
      const { status, data } = await this.attempt(
        'POST',
        '/payment/api/v1/payout',
        this.bodyOf(bill, 0),
      )
      if (status >= 400) throw new Error(data.message)
    } catch (error) {
      console.error(`warning: ${error.message}`)
    }
    return 'paid'
  }
})().payday()
