import { expect, test } from 'vitest'
import type { AssumptionId } from '../../src/world/reading-names.js'
import { users } from '../support/fixture-ids.js'
import { openSandbox } from '../support/open-sandbox.js'
import { consentRequest, payoutRequest, userRequest } from '../support/requests.js'

// An answer that would be the same under every reading of a question does not name it.

const { recipient_details } = payoutRequest()
const pendingPayout = {
  ...payoutRequest(),
  recipient_details: { ...recipient_details, recipient_account_number: '00000002' },
}
const { tnc_data } = consentRequest()
const impossible = '2026-02-30T10:00:00.000Z'

test.each<[string, AssumptionId, string, object]>([
  ['a payout that waits either way', 'payout.status', '/payment/api/v1/payout', pendingPayout],
  ...(['documents', 'address', 'identity'] as const).map(
    (field): [string, AssumptionId, string, object] => [
      `text in the place of ${field}`,
      'user.formats',
      '/onboarding/api/v1/users',
      { ...userRequest(), [field]: '' },
    ],
  ),
  [
    'a text for a document',
    'user.formats',
    '/onboarding/api/v1/users',
    { ...userRequest(), documents: [''] },
  ],
  [
    'a birth on no real day',
    'user.formats',
    '/onboarding/api/v1/users',
    { ...userRequest(), date_of_birth: '1990-02-30' },
  ],
  [
    'an instant that is none',
    'consent.format',
    '/onboarding/api/v1/tnc',
    { tnc_data: { ...tnc_data, accepted_at: impossible } },
  ],
])('%s does not rest on %s', async (_, id, path, body) => {
  const api = await openSandbox()
  const { headers } = await api.post(path, body)
  expect(headers.get('x-sandbox-assumed') ?? '').not.toContain(`${id}=`)
})

test('a token that is unknown in any case does not rest on path.case', async () => {
  const api = await openSandbox()
  const path = `/payment/api/v1/offramp-audit/crypto-balance/constructor/polygon/${users.ada}`
  const { status, headers } = await api.get(path)
  expect(status).toBe(400)
  expect(headers.get('x-sandbox-assumed')).not.toContain('path.case=')
})
