import * as z from 'zod'
import { toNumber } from '../../domain/money.js'
import type { Rate } from '../../domain/schema.js'
import { ok, operation } from '../../http/operation/operation.js'
import { anyAmount, fields } from './fields.js'
import { listPage, listSchema, pageQuery } from './lists.js'

const rate = z
  .object({ base: z.string(), quote: z.string(), rate: z.number() })
  .meta({ id: 'Rate', example: { base: 'USD', quote: 'EUR', rate: 0.85 } })

const show = (it: Rate): z.input<typeof rate> => ({
  base: it.base,
  quote: it.quote,
  rate: toNumber(it.rate),
})

export const listRates = operation({
  id: 'listRates',
  method: 'get',
  path: '/_sandbox/rates',
  tag: 'Rates',
  summary: 'List exchange rates',
  description:
    '`rate` is the amount of `quote` for one unit of `base`. Other rates are computed from these.',
  query: pageQuery,
  answers: { 200: { description: 'One page', schema: listSchema(rate, 'RateList') } },
  handle: ({ world: { tables }, query }) =>
    listPage(tables.rates, { index: 'all', key: '' }, query, show),
})

export const setRate = operation({
  id: 'setRate',
  method: 'put',
  path: '/_sandbox/rates',
  tag: 'Rates',
  summary: 'Change an exchange rate',
  description:
    'Changes a rate. Existing transfers keep theirs, unless `conversion.rate_fixed` fixes it at the ' +
    'conversion.',
  body: fields({
    base: z.string().meta({ description: 'The currency that is sold' }),
    quote: z.string().meta({ description: 'The currency that is bought' }),
    rate: anyAmount().meta({ description: 'How much of the quote one of the base buys' }),
  }).meta({
    id: 'RateChange',
    example: { base: 'USD', quote: 'EUR', rate: '0.9' },
  }),
  answers: { 200: { description: 'The rate after it', schema: rate } },
  errors: ['4040', '4090'],
  handle: ({ world, body, cause }) => ok(show(world.run('rate.set', body, cause))),
})
