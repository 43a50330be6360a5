// Clients that lose work or look too early must not pass: the wrong 400, an answer never fetched, a payout dropped after 429 or 401.
import { green, here, right, verdict } from './lib.mjs'
for (const [scenario, mistake, why] of [
  ['account-paused', 'too-early', 'its only 400 came before the approval, so it never met the pause'],
  ['slow-responses', 'gave-up', 'it gave the money back and the payout was made'],
  ['rate-limited', 'drops-limited', 'payouts that met 429 were never made'],
  ['key-expires-midway', 'drops-expired', 'the payout that met 401 was never made'],
]) { const r = green(scenario, 'node', `${here}clients/wrong.mjs`, mistake); right(`${scenario} fails ${mistake}: ${why}`, r.status === 3, r.out.slice(-300)) }
for (const [s, job] of [['account-paused', 'wallet-later'], ['slow-responses', 'pay'], ['rate-limited', 'pay-often'], ['key-expires-midway', 'pay-later']]) { const r = green(s, 'node', '/tmp/va/examples/careful-client.mjs', job); right(`${s}: the careful client passes`, r.green, r.out.slice(-300)) }
verdict()
