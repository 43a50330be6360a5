import * as z from 'zod'
import { type Noun, nouns } from '../../history/explain.js'
import { showExchange } from '../../history/views.js'
import { ok, operation } from '../../http/operation/operation.js'
import { notFound } from '../../kernel/refusal.js'
import { EXAMPLES, idPath } from './fields.js'

const NOUNS = Object.keys(nouns) as Noun[]

export const readRecord = operation({
  id: 'readRecord',
  method: 'get',
  path: '/_sandbox/records/{id}',
  tag: 'Sandbox',
  summary: 'Read any record by its id',
  description: 'A record of any kind, or a request by its `x-request-id`. Amounts are strings.',
  params: idPath(EXAMPLES.payouts),
  answers: {
    200: {
      description: 'The record and its kind',
      schema: z
        .object({
          noun: z.enum([...NOUNS, 'requests']),
          record: z.looseObject({ id: z.uuid() }),
        })
        .meta({ id: 'AnyRecord' }),
    },
  },
  handle: async ({ live, world: { tables }, params: { id } }) => {
    for (const noun of NOUNS) {
      const found = tables[noun].get(id)
      if (!found) continue
      const { n: _n, hash: _hash, scenarios: _by, ...record } = { ...NO_SECRETS, ...found }
      return ok({ noun, record })
    }
    await live.requests.update()
    const exchange = live.requests.find(id)
    if (exchange) return ok({ noun: 'requests', record: showExchange(exchange) })
    throw notFound('id', `no record and no request has the id ${id}`)
  },
})

/** Fields of some records that no response shows. */
const NO_SECRETS = { hash: undefined, scenarios: undefined }
