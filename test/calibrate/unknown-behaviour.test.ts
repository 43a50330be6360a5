import { describe, expect, test } from 'vitest'
import type { AssumptionId } from '../../src/assumptions/ids.js'
import { probeAll } from './play-probe.js'
import { type Entry, judgeEntries, openService } from './recorded-service.js'

/** Rewrites an answer as a service would give it that has none of our readings. */
type Rewrite = (entry: Entry) => void

const rewriteText =
  (pattern: RegExp, replacement: string): Rewrite =>
  ({ response: { content } }) => {
    content.text = content.text.replace(pattern, replacement)
    content.size = Buffer.byteLength(content.text)
  }

const rewriteStatus =
  (from: number, to: number, path = /./): Rewrite =>
  ({ request, response }) => {
    if (response.status === from && path.test(request.url)) response.status = to
  }

const onPath =
  (path: RegExp, rewrite: Rewrite): Rewrite =>
  (entry) => {
    if (path.test(entry.request.url)) rewrite(entry)
  }

const record = async (readings: Readonly<Record<string, string>>) => {
  const service = await openService(readings, 1)
  await probeAll(service)
  await service.sandbox.close()
  return service
}

type Chosen = Readonly<Record<string, string>>

const UNKNOWN: [what: string, rewrite: Rewrite, ids: readonly AssumptionId[], readings?: Chosen][] =
  [
    ['times with microseconds', rewriteText(/(\.\d{3})Z"/g, '$1000Z"'), ['time.form']],
    ['other error codes', rewriteText(/"code":"40[04]0"/g, '"code":"INVALID"'), ['error.codes']],
    [
      '422 in place of 400',
      rewriteStatus(400, 422),
      ['audit.size', 'payout.changed_repeat', 'crypto.unknown'],
    ],
    ['202 in place of 201', rewriteStatus(201, 202), ['created.status', 'wallet.status']],
    ['410 for an unknown user', onPath(/5a4d5052/, rewriteStatus(404, 410)), ['resource.unknown']],
    [
      'another status of a failed payout',
      rewriteText(/PAYOUT_FAILED/g, 'PAYOUT_BOUNCED'),
      ['payout.statuses', 'payout.transitions'],
    ],
    [
      'another status of a wallet',
      rewriteText(/"status":"ACTIVE"/g, '"status":"READY"'),
      ['wallet.status'],
    ],
    [
      'users under data',
      onPath(/users\/all/, rewriteText(/^\[([\s\S]*)\]$/, '{"data":[$1]}')),
      ['users.list', 'user.rejection_reasons', 'user.requirements', 'user.paused'],
    ],
    [
      'other fields of a rejection',
      rewriteText(/"developer_reason"/g, '"details"'),
      ['user.rejection_reasons'],
    ],
    [
      'statuses in mixed case',
      onPath(/audit\/1/, rewriteText(/"status":"p(\w+)"/g, '"status":"P$1"')),
      ['audit.spelling'],
    ],
    [
      'pages of 50',
      onPath(/size=101/, rewriteText(/"size":100/, '"size":50')),
      ['audit.size'],
      { 'audit.size': 'clamped' },
    ],
    [
      '410 after the last page',
      onPath(/page=99/, rewriteStatus(404, 410)),
      ['audit.pages'],
      { 'audit.pages': 'not_found' },
    ],
  ]

describe('calibrate gives no reading for', () => {
  test.each<(typeof UNKNOWN)[number]>(UNKNOWN)('%s', async (_, rewrite, ids, readings = {}) => {
    const { entries, facts } = await record(readings)
    for (const entry of entries) rewrite(entry)
    const { verdicts } = judgeEntries([entries], facts, true)
    for (const id of ids)
      expect([id, verdicts.get(id)?.outcome]).toEqual([
        id,
        expect.stringMatching(/^(?:unexplained|not seen|no difference)$/),
      ])
  })
})
