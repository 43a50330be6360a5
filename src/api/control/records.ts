import * as z from 'zod'
import { withoutInternals } from '../../activity/changes.js'
import type { World } from '../../domain/world.js'
import { type Noun, nouns } from '../../history/explain.js'
import type { LogRecord } from '../../history/log-record.js'
import { showExchange } from '../../history/views.js'
import { ok, operation } from '../../http/operation/operation.js'
import { notFound } from '../../kernel/refusal.js'
import type { LiveWorld } from '../../worlds/live-world.js'
import { EXAMPLES, idPath } from './fields.js'

export const NOUNS = Object.keys(nouns) as Noun[]

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
  handle: async ({ live, world, params: { id } }) => {
    const found = findRecord(world, id)
    if (!found) return ok({ noun: 'requests', record: showExchange(await findExchange(live, id)) })
    return ok({ noun: found.noun, record: withoutInternals(found.record) })
  },
})

export const findRecord = ({ tables }: World, id: string) => {
  for (const noun of NOUNS) {
    const record = tables[noun].get(id)
    if (record) return { noun, record }
  }
  return undefined
}

/** The request of an id that no record has. */
export const findExchange = async ({ requests }: LiveWorld, id: string): Promise<LogRecord> => {
  await requests.update()
  const exchange = requests.find(id)
  if (exchange) return exchange
  throw notFound('id', `no record and no request has the id ${id}`)
}
