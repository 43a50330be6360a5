import { describe, expect, test } from 'vitest'
import { field, fieldCases, type Wrong } from '../support/cases/field-cases.js'
import { footprint, type Subject } from '../support/cases/subject.js'
import { expectRefusal } from '../support/client.js'
import { invalid } from '../support/invalid.js'
import { openSandbox } from '../support/open-sandbox.js'
import { consentRequest } from '../support/requests.js'
import { MISSING } from '../support/with-field.js'

const path = '/onboarding/api/v1/tnc'
const subject: Subject = { method: 'POST', path, body: consentRequest, success: 200 }

const NO_INSTANTS: readonly Wrong[] = [
  [MISSING, 'nothing'],
  [null, 'null'],
  [1_781_514_000_000, '1781514000000'],
  [true, 'true'],
  [[], 'an empty array'],
  ...[
    '',
    ' ',
    'now',
    '2026-06-15',
    '2026-06-15T08:59:00Z',
    '2026-06-15T08:59:00.0Z',
    '2026-06-15T08:59:00.0000Z',
    '2026-06-15T08:59:00.000',
    '2026-06-15T08:59:00.000+00:00',
    '2026-06-15T08:59:00.000z',
    '2026-06-15 08:59:00.000Z',
    '2026-02-29T08:59:00.000Z',
    '2026-02-30T08:59:00.000Z',
    '2026-13-01T08:59:00.000Z',
    '2026-00-10T08:59:00.000Z',
    '2026-06-31T08:59:00.000Z',
    '2026-06-15T24:00:00.000Z',
    '2026-06-15T08:60:00.000Z',
    '2026-06-15T08:59:60.000Z',
    '+12026-06-15T08:59:00.000Z',
    '2026-06-15T08:59:00.000Z\n',
  ].map((text): Wrong => [text, JSON.stringify(text)]),
]

describe('createConsent', () => {
  fieldCases({ over: 'fetch', subject }, [
    field('tnc_data', 'object'),
    field('tnc_data.tnc_accepted', 'boolean'),
    {
      field: 'tnc_data.accepted_at',
      accepted: 'a real UTC date-time with milliseconds such as 2026-01-31T09:30:00.000Z',
      wrong: NO_INSTANTS,
    },
  ])

  test('answers the consent id, a bare JSON string', async () => {
    const api = await openSandbox()
    const answer = await api.post<string>(path, consentRequest())
    expect(answer.status).toBe(200)
    expect(answer.body).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
    expect(api.sandbox.tables.consents.get(answer.body)).toMatchObject({
      accepted_at: consentRequest().tnc_data.accepted_at,
      used_by: null,
    })
  })

  test('the same acceptance again is another consent', async () => {
    const api = await openSandbox()
    const first = await api.make<string>(path, consentRequest())
    expect(await api.make<string>(path, consentRequest())).not.toBe(first)
  })

  test('declined terms are refused', async () => {
    const api = await openSandbox()
    const before = footprint(api)
    const { accepted_at } = consentRequest().tnc_data
    const answer = await api.post(path, { tnc_data: { tnc_accepted: false, accepted_at } })
    const words = invalid('tnc_data.tnc_accepted', false, 'true', 'The user declined the terms')
    expectRefusal(answer, 400, '4000', words)
    expect(footprint(api)).toEqual(before)
  })

  test.each(['2199-01-01T00:00:00.000Z', '2024-02-29T23:59:59.999Z', '1999-12-31T00:00:00.000Z'])(
    'accepted at %s is taken',
    async (accepted_at) => {
      const api = await openSandbox()
      const id = await api.make<string>(path, { tnc_data: { tnc_accepted: true, accepted_at } })
      expect(api.sandbox.tables.consents.get(id)?.accepted_at).toBe(accepted_at)
    },
  )

  test('is taken before the terms are looked at: malformed fields', async () => {
    const api = await openSandbox()
    const answer = await api.post(path, { tnc_data: { tnc_accepted: false, accepted_at: 'now' } })
    expectRefusal(answer, 400, '4000', invalid('tnc_data.accepted_at', 'now'))
  })
})
