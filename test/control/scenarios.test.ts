import { beforeEach, describe, expect, test } from 'vitest'
import { type Client, expectRefusal } from '../support/client.js'
import { startRequest, startTransfer } from '../support/control.js'
import { users } from '../support/fixture-ids.js'
import {
  didYouMean,
  expected,
  invalid,
  inWords,
  missing,
  unknownField,
} from '../support/invalid.js'
import { openSandbox } from '../support/open-sandbox.js'
import { PAYOUT, payoutOf } from '../support/scenario-client.js'
import type { ErrorBody, List } from '../support/wire.js'

let api: Client

beforeEach(async () => {
  api = await openSandbox()
})

interface Item {
  readonly name: string
  readonly title: string
  readonly why: string | null
  readonly active: boolean
  readonly posted: boolean
  readonly rules: number
  readonly drawing: string
}
type Scenarios = List<Item> & { readonly active: readonly string[] }

const path = '/_sandbox/scenarios'
const START = ['magic-values', 'happy-path']

const list = () => api.read<Scenarios>(`${path}?size=1000`)
const namesOf = async () => (await list()).items.map(({ name }) => name)

const choose = (names: unknown, more?: object) =>
  api.call<{ active: string[] }>('PUT', `${path}/active`, { body: { names }, ...more })

const yaml = (name: string, reason: string) => `name: ${name}
title: Transfers fail for ${reason}
rules:
  - when: transfer.created
    then:
      - { after: 1s, move: FAILED, reason: ${reason} }
`

const YAML = { 'content-type': 'application/yaml' }

const post = (raw: string, query = '', headers: Record<string, string> = YAML) =>
  api.call<Item>('POST', `${path}${query}`, { raw, headers })

/** Why a new transfer has failed; null when it has not. */
const fateOf = async (headers?: Record<string, string>): Promise<string | null> => {
  const options = headers ? { headers } : {}
  const { body } = await api.post<{ id: string }>('/_sandbox/transfers', startRequest(), options)
  api.sandbox.advance({ until: 'idle' })
  return api.sandbox.tables.transfers.get(body.id)?.reason ?? null
}

describe('listScenarios', () => {
  test('shows all that are shipped, by name, and what is active in order', async () => {
    const { items, active } = await list()
    expect(active).toEqual(START)
    expect(items.length).toBeGreaterThan(20)
    expect(items.map(({ name }) => name)).toEqual(items.map(({ name }) => name).sort())
    expect(items.filter((it) => it.active).map(({ name }) => name)).toEqual([...START].sort())
    expect(items.filter(({ posted }) => posted)).toEqual([])
    expect(items.find(({ name }) => name === 'bank-rejects')).toEqual({
      name: 'bank-rejects',
      title: 'The receiving bank rejects the payment',
      why: expect.stringContaining('the account is closed'),
      active: false,
      posted: false,
      rules: 1,
      drawing:
        'transfer.created: PENDING ──2s──▶ FUNDS_RECEIVED ──2s──▶ CONVERSION_PROCESSED ' +
        '──2s──▶ PAYMENT_SUBMITTED ──1m──▶ FAILED (account_closed)',
    })
  })

  test('scenarios of the start options come first', async () => {
    api = await openSandbox({ scenarios: ['late-return', 'bank-rejects'] })
    expect((await list()).active).toEqual(['late-return', 'bank-rejects', ...START])
  })
})

describe('activateScenarios', () => {
  test('replaces all that were active; happy-path stays behind them', async () => {
    const { status, body } = await choose(['bank-rejects'])
    expect({ status, body }).toEqual({
      status: 200,
      body: { active: ['bank-rejects', 'happy-path'] },
    })
    expect((await list()).active).toEqual(['bank-rejects', 'happy-path'])
    expect(await fateOf()).toBe('account_closed')
    expect((await choose([])).body).toEqual({ active: ['happy-path'] })
    expect(await fateOf()).toBeNull()
  })

  test('the first has precedence; naming happy-path, or one twice, changes nothing', async () => {
    const names = ['happy-path', 'conversion-fails', 'bank-rejects', 'conversion-fails']
    const { body } = await choose(names)
    expect(body.active).toEqual(['conversion-fails', 'bank-rejects', 'happy-path'])
    expect(await fateOf()).toBe('conversion_rejected')
  })

  test('leaves what is on its way', async () => {
    api = await openSandbox({ scenarios: ['bank-rejects'] })
    const { id } = await startTransfer(api)
    await choose([])
    api.sandbox.advance({ until: 'idle' })
    expect(api.sandbox.tables.transfers.get(id)).toHaveProperty('reason', 'account_closed')
  })

  test('refuses an unknown name with the nearest, and changes nothing', async () => {
    const answer = await choose(['late-return', 'bank-reject'])
    expectRefusal(
      answer,
      400,
      '4000',
      invalid('names.1', 'bank-reject'),
      didYouMean('bank-rejects'),
    )
    expect((await list()).active).toEqual(START)
  })

  test.each([
    [undefined, missing('names', 'a list of names of scenarios')],
    ['bank-rejects', invalid('names', 'bank-rejects', 'a list of names of scenarios')],
    [[1], invalid('names.0', 1, 'the name of a scenario')],
    [new Array(201).fill(7), 'at most 200 names'],
    [
      'x'.repeat(201),
      invalid('names', inWords(`"${'x'.repeat(64)}…"`), 'a list of names of scenarios'),
    ],
  ])('refuses the names %j', async (names, words) => {
    const answer = await choose(names)
    expectRefusal(answer, 400, '4000', words)
    expect((answer.body as unknown as ErrorBody).message).not.toContain(' | ')
  })
})

describe('postScenario', () => {
  test.each([
    'application/yaml',
    'application/x-yaml',
    'text/yaml',
    'text/x-yaml; charset=utf-8',
    'text/plain',
  ])('takes YAML as %s', async (type) => {
    const { status, body } = await post(yaml('mine', 'mine_failed'), '', {
      'content-type': type,
    })
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        name: 'mine',
        title: 'Transfers fail for mine_failed',
        why: null,
        active: false,
        posted: true,
        rules: 1,
        drawing: 'transfer.created: PENDING ──1s──▶ FAILED (mine_failed)',
      },
    })
    expect(await namesOf()).toContain('mine')
    expect(await fateOf()).toBeNull()
    await choose(['mine'])
    expect(await fateOf()).toBe('mine_failed')
  })

  test('that comes again counts from the beginning, for each value too', async () => {
    const limited = (name: string, status: number) => `name: ${name}
title: One request fails
rules:
  - when: request
    if: { operation: createPayout }
    per: body.user_id
    limit: 1
    then: [{ respond: { status: ${status} } }]
`
    const pay = async () => (await api.post(PAYOUT, payoutOf(1))).status
    await post(limited('mine-too', 502), '?activate=true')
    await post(limited('mine', 503), '?activate=true')
    expect([await pay(), await pay(), await pay()]).toEqual([503, 502, 200])
    await post(limited('mine', 500))
    expect([await pay(), await pay()]).toEqual([500, 200])
    await api.post('/_sandbox/undo')
    expect(await pay()).toBe(500)
    await api.post('/_sandbox/undo')
    await api.post('/_sandbox/undo')
    expect(await pay()).toBe(200)
  })

  test('activate=true puts it before all others', async () => {
    api = await openSandbox({ scenarios: ['bank-rejects'] })
    const { body } = await post(yaml('mine', 'mine_failed'), '?activate=true')
    expect(body.active).toBe(true)
    expect((await list()).active).toEqual(['mine', 'bank-rejects', ...START])
    expect(await fateOf()).toBe('mine_failed')
    await post(yaml('other', 'other_failed'), '?activate=true')
    await post(yaml('mine', 'mine_failed'), '?activate=true')
    expect((await list()).active).toEqual(['mine', 'other', 'bank-rejects', ...START])
  })

  test('one that is active is in force at once when it is posted again', async () => {
    await post(yaml('mine', 'first'), '?activate=true')
    expect(await fateOf()).toBe('first')
    await post(yaml('mine', 'second'))
    expect(await fateOf()).toBe('second')
    expect(await namesOf()).toHaveLength(new Set(await namesOf()).size)
  })

  test('a reset forgets it, and the list is as at boot', async () => {
    api = await openSandbox({ scenarios: ['bank-rejects'] })
    await post(yaml('mine', 'mine_failed'), '?activate=true')
    await api.make('/_sandbox/reset')
    expect(await namesOf()).not.toContain('mine')
    expect((await list()).active).toEqual(['bank-rejects', ...START])
    expectRefusal(await choose(['mine']), 400, '4000', invalid('names.0', 'mine'))
  })

  test('is refused with all that is wrong with it, and changes nothing', async () => {
    const broken = yaml('mine', 'mine_failed')
      .replace('move: FAILED', 'move: FAILLED')
      .replace('title:', 'titel:')
    const answer = await post(broken, '?activate=true')
    expectRefusal(
      answer,
      400,
      '4000',
      `body:6:28: ${invalid('rules.0.then.0.move', 'FAILLED', 'PENDING, ')}`,
      didYouMean('FAILED'),
      `body:2:1: ${unknownField('titel', 'name, title, why, rules, expect', didYouMean('title'))}`,
    )
    const { active } = await list()
    expect(active).toEqual(START)
    expect(api.sandbox.tables.posted.size).toBe(0)
  })

  test('names twenty unknown fields, and counts the others', async () => {
    const fields = Array.from({ length: 50 }, (_, i) => `titel${i}: 1\n`)
    const { body } = await post(`${yaml('mine', 'x')}${fields.join('')}`)
    expect(JSON.stringify(body).match(/Unknown field/g)).toHaveLength(20)
    expect(body).toMatchObject({ message: expect.stringMatching(/\nand 30 more\n/) })
  })

  test.each([
    ['numbers', `rules: [${'1,'.repeat(10_001)}1]`],
    ['keys', 'k: 1\n'.repeat(10_001)],
    ['a text over lines', `title: "${'x\n '.repeat(10_001)}"`],
  ])('is refused before it is parsed, as YAML of 10,001 %s', async (_, text) => {
    const answer = await post(text)
    expectRefusal(
      answer,
      400,
      '4000',
      'body: ',
      invalid('file', inWords('more than 10000 of [, {, :, commas and line breaks together')),
    )
  })

  test('is refused without a body, by another content type, and beyond 1 MiB', async () => {
    expectRefusal(await api.post(path), 400, '4000', missing('value', 'an object'))
    const answer = await post(yaml('a', 'b'), '', { 'content-type': 'application/xml' })
    expectRefusal(
      answer,
      415,
      '4150',
      'application/xml',
      expected('application/json, application/yaml'),
    )
    const large = `${yaml('mine', 'mine_failed')}# ${'x'.repeat(1_048_576)}\n`
    expectRefusal(await post(large), 413, '4130', 'the limit of 1048576 bytes')
    expectRefusal(await post(yaml('a', 'b'), '?activate=maybe'), 400, '4000', 'activate: ')
  })
})

describe('readScenario', () => {
  test('gives the file of a shipped one', async () => {
    const { text, ...item } = await api.read<Item & { text: string }>(`${path}/bank-rejects`)
    expect((await list()).items).toContainEqual(item)
    expect(text).toMatch(/^# yaml-language-server: .*\nname: bank-rejects\n/)
  })

  test('gives what was posted, in place of a shipped one too', async () => {
    await post(yaml('bank-rejects', 'mine_failed'))
    const { text, posted } = await api.read<Item & { text: string }>(`${path}/bank-rejects`)
    expect({ text, posted }).toEqual({ text: yaml('bank-rejects', 'mine_failed'), posted: true })
  })

  test.each(['nobody', '..', '%2e%2e%2fpackage', 'constructor'])('refuses %s', async (name) => {
    const answer = await (await openSandbox()).get(`${path}/${name}`)
    expect([404, 405]).toContain(answer.status)
  })
})

describe('x-sandbox-scenario', () => {
  const steered = (names: string) => ({ 'x-sandbox-scenario': names })

  test('goes before what is active, the first name first', async () => {
    api = await openSandbox({ scenarios: ['bank-rejects'] })
    expect(await fateOf(steered(' late-return , conversion-fails'))).toBe('returned_by_bank')
    expect(await fateOf(steered('conversion-fails'))).toBe('conversion_rejected')
    expect(await fateOf(steered(''))).toBe('account_closed')
  })

  test('refuses an unknown name and suggests the nearest, in both APIs', async () => {
    const headers = steered('happy-path,bank-reject')
    const words = [invalid('x-sandbox-scenario', 'bank-reject'), didYouMean('bank-rejects')]
    for (const answer of [
      await api.post('/_sandbox/transfers', startRequest(), { headers }),
      await api.post(PAYOUT, payoutOf(1), { headers }),
      await api.get(`/payment/api/v1/fx-audit/${users.ada}`, { headers }),
    ]) {
      expectRefusal(answer, 400, '4000', ...words)
    }
    const many = steered(Array.from({ length: 21 }, (_, n) => `mine-${n}`).join(','))
    expectRefusal(await api.post(PAYOUT, payoutOf(1), { headers: many }), 400, '4000', 'at most 20')
  })
})
