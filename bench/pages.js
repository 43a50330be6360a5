// Processor time of each page of the console, after a change and again without one: node bench/pages.js [payouts] [beginning of the address]
import { createSandbox } from '../dist/index.js'
import { listPages } from './console-pages.js'

const PAYOUTS = Number(process.argv[2] ?? 10_000)
const DRAWINGS = 15
const USERS = [1, 2, 1, 8].map((n) => `11111111-1111-4111-8111-${String(n).padStart(12, '0')}`)
const BANKS = ['Marina Test Bank', 'Access Bank', 'Lagos Bank', 'Island Bank']
const KEY = { 'x-api-key': 'SandrampFullAccessKey00000000001', 'content-type': 'application/json' }

const sandbox = await createSandbox({ clock: 'manual', seed: 'bench' })
const send = (path, body) =>
  sandbox.fetch(path, { method: 'POST', headers: KEY, body: JSON.stringify(body) })
for (const id of new Set(USERS))
  await send(`/_sandbox/users/${id}/balances`, { currency: 'NGN', amount: '1000000000' })

const pay = (n) => {
  const recipient_account_number = `069${String(n).padStart(7, '0')}`
  const to = {
    bank_name: BANKS[n % 4],
    account_holder_name: 'Ada Okafor',
    recipient_account_number,
  }
  const id = `abcdef00-0000-4000-8000-${String(n).padStart(12, '0')}`
  const sum = { currency: 'NGN', amount: `${100 + (n % 900)}.00` }
  const body = { user_id: USERS[n % 4], ...sum, customer_payout_id: id, recipient_details: to }
  return send('/payment/api/v1/payout', body)
}

let made = 0
while (made < PAYOUTS) await pay(made++)

const readJson = async (path) => (await sandbox.fetch(path)).json()
const [payout] = (await readJson('/_sandbox/payouts?size=1')).items
const [request] = (await readJson('/_sandbox/requests?size=1')).items
const { user_id } = payout

const PAGES = [
  ...listPages(payout, request),
  '/?kind=failed',
  '/users?text=lagos',
  '/payments?status=waiting',
  '/payments?status=processed',
  '/payments?status=paid_twice',
  '/payments?text=nothing',
  `/payments?user_id=${user_id}`,
  `/payments?user_id=${user_id}&text=nothing`,
  '/find?q=1500',
]

const timeDrawing = async (path) => {
  const before = process.cpuUsage()
  await (await sandbox.fetch(path)).text()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1].toFixed(1)

for (const path of PAGES.filter((it) => it.startsWith(process.argv[3] ?? '/'))) {
  const [cold, warm] = [[], []]
  for (let i = 0; i < DRAWINGS; i++) {
    await pay(made++)
    cold.push(await timeDrawing(path))
    warm.push(await timeDrawing(path))
  }
  console.log(`${median(cold).padStart(7)} ${median(warm).padStart(7)}  ${path}`)
}
await sandbox.close()
