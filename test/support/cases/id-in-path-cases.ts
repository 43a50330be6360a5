import { describe, expect, test } from 'vitest'
import { expectRefusal } from '../client.js'
import { NOBODY } from '../fixture-ids.js'
import { invalid, shown } from '../invalid.js'
import { openSandbox } from '../open-sandbox.js'
import { footprint, type Place } from './subject.js'

const UUID_FORM = 'a UUID such as 3f0c8f6e-9b1d-4c53-8a38-0a6a1c6a5d3e'

/** As it is written in the path, and how the message describes it. */
const NO_IDS: readonly [string, string][] = [
  ['nonsense', '"nonsense"'],
  ['1', '"1"'],
  ['null', '"null"'],
  ['%20', '" "'],
  ['%00', '"\\u0000"'],
  ['11111111111141118111000000000001', '"11111111111141118111000000000001"'],
  [`${NOBODY}%0A`, `"${NOBODY}\\n"`],
  [`${NOBODY}%2F..`, `"${NOBODY}/.."`],
  [`%7B${NOBODY}%7D`, `"{${NOBODY}}"`],
  ['%F0%9F%A6%93', '"🦓"'],
  ['x'.repeat(5_000), `"${'x'.repeat(64)}…"`],
]

export interface IdInPath extends Place {
  /** The parameter's name, as messages write it. */
  readonly field: string
  /** The id in the subject's path. */
  readonly id: string
  /** The message for an unknown id. */
  readonly unknown: string
}

/** Cases of every id in a path. */
export const idInPathCases = ({ over, subject, field, id, unknown }: IdInPath): void => {
  const { method, body, success } = subject
  const pathWith = (other: string) => subject.path.replace(id, other)

  describe(`${field} in the path`, () => {
    test('must be a UUID', async () => {
      const api = await openSandbox({ over })
      const before = footprint(api)
      for (const [text, came] of NO_IDS) {
        const answer = await api.call(method, pathWith(text), { body: body?.() })
        expectRefusal(answer, 400, '4000')
        const message = invalid(field, shown(came), UUID_FORM)
        expect(answer.body).toHaveProperty('message', `${message}.`)
      }
      expect(footprint(api)).toEqual(before)
    })

    test('must be somebody’s', async () => {
      const api = await openSandbox({ over })
      const before = footprint(api)
      for (const other of [NOBODY, '00000000-0000-0000-0000-000000000000']) {
        const answer = await api.call(method, pathWith(other), { body: body?.() })
        expectRefusal(answer, 404, '4040', `${field}: ${unknown} ${other}`)
      }
      expect(footprint(api)).toEqual(before)
    })

    test('upper case is the same id', async () => {
      const api = await openSandbox({ over })
      const answer = await api.call(method, pathWith(id.toUpperCase()), { body: body?.() })
      expect(answer.status).toBe(success)
    })
  })
}
