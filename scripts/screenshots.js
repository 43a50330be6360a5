// Takes a screenshot of every console page into docs/screenshots/, over a sandbox with some activity.
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { importSource } from './import-source.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'docs', 'screenshots')
const { createSandbox } = await import(join(root, 'dist', 'index.js'))
const { launchChromium } = await importSource('test/browser/chromium.ts')

const ADA = '11111111-1111-4111-8111-000000000001'
const ADA_EUR = '22222222-2222-4222-8222-000000000001'
const KEY = 'SandrampFullAccessKey00000000001'

const sandbox = await createSandbox({
  clock: 'manual',
  seed: 'screenshots',
  scenarios: ['flaky-gateway'],
})
const world = sandbox.defaultWorld

/** Sends a request; retries with backoff while the gateway fails. */
const call = async (path, body) => {
  for (let attempt = 0; attempt < 5; attempt++) {
    const answer = await sandbox.fetch(path, {
      method: body ? 'POST' : 'GET',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (answer.status < 500) return answer.json()
    await world.advance(`${2 ** attempt}s`)
  }
}

const payout = (n, amount) => ({
  user_id: ADA,
  currency: 'NGN',
  customer_payout_id: `c0ffee00-0000-4000-8000-00000000000${n}`,
  amount,
  recipient_details: {
    bank_name: 'Marina Test Bank',
    account_holder_name: 'Ada Okafor',
    recipient_account_number: '0690000031',
  },
})

/** Creates an active offramp, payouts, a refusal and an unmatched deposit. */
const happen = async () => {
  await call('/onboarding/api/v1/users/all')
  await call('/payment/api/v1/payout', payout(1, '1500.00'))
  await call('/payment/api/v1/payout', payout(1, '1500.00'))
  await call('/payment/api/v1/payout', { ...payout(2, '12,50'), currency: 'ngn' })
  const { address } = await call('/payment/api/v1/offramp', { user_id: ADA, account_id: ADA_EUR })
  const { transfer_id } = await world.deposit(address, '100')
  await world.advance('3s')
  await world.deposit('0x000000000000000000000000000000000000dEaD', '5')
  await call(`/payment/api/v1/fx-audit/status/${transfer_id}`)
  await world.deposit(address, '40.50')
  await world.advance('2s')
  const [refused] = await world.requests({ status: 400 })
  return { transfer_id, refused: refused?.id }
}

const { transfer_id, refused } = await happen()
await sandbox.fetch('/_sandbox/snapshots', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ name: 'before-payout' }),
})
for (const n of [1, 2]) {
  await sandbox.fetch('/onboarding/api/v1/users/all', {
    headers: { 'x-api-key': `SandboxWorldTests0000000000000${n}${n}` },
  })
}
const { items } = await call('/_sandbox/payouts?size=1')
const [paid] = items

const PAGES = {
  activity: '/',
  request: `/?request=${refused}`,
  payments: '/payments',
  transfer: `/transfers/${transfer_id}`,
  payout: `/payouts/${paid.id}`,
  user: `/users/${ADA}`,
  control: '/control',
  scenario: '/scenarios/flaky-gateway',
  worlds: '/worlds',
  questions: '/questions',
  ledger: '/ledger',
  connect: '/connect',
}

const LOOKS = {
  '': { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  '-dark': { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  '-narrow': { viewport: { width: 360, height: 780 }, colorScheme: 'light' },
}

/** Development needs every viewport and colour scheme; the docs show the first. */
const looks = process.argv.includes('--all') ? Object.entries(LOOKS) : [Object.entries(LOOKS)[0]]
const target = process.argv.includes('--all') ? join(root, 'coverage', 'screenshots') : folder

await rm(target, { recursive: true, force: true })
await mkdir(target, { recursive: true })
const { url } = await sandbox.listen({ port: 0 })
const browser = await launchChromium()
try {
  for (const [look, options] of looks) {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    for (const [name, path] of Object.entries(PAGES)) {
      await page.goto(`${url}${path}`, { waitUntil: 'load' })
      await page.screenshot({ path: join(target, `${name}${look}.png`), fullPage: look !== '' })
    }
    await context.close()
  }
} finally {
  await browser.close()
  await sandbox.close()
}
