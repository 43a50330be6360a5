import * as z from 'zod'
import { uuid } from '../contract/fields.js'
import type { ExchangeFilter } from '../request-log/views.js'
import { operationIds } from '../scenarios/language/operations.js'

const STATUS = 'a status such as 404, or a class of them: 2xx, 3xx, 4xx or 5xx'

/** Query parameters of the request log. */
export const exchangeFilters = z.object({
  operation: z
    .enum([...operationIds, 'unknown'])
    .optional()
    .meta({ description: 'Only this operation; `unknown` for what the service does not have' }),
  status: z
    .string(STATUS)
    .regex(/^([1-5]\d\d|[2-5]xx)$/, STATUS)
    .optional()
    .meta({ description: `Only ${STATUS}`, example: '4xx' }),
  user_id: uuid().optional().meta({ description: 'Only of this user' }),
  fault: z.enum(['true', 'false']).optional().meta({
    description: 'Only those that a rule answered, altered, delayed or cut off, or only the others',
  }),
  aborted: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'Only those whose client left before the answer, or only the others' }),
})

export const parseExchangeFilter = ({
  fault,
  aborted,
  ...rest
}: z.output<typeof exchangeFilters>): ExchangeFilter => ({
  ...rest,
  fault: fault === undefined ? undefined : fault === 'true',
  aborted: aborted === undefined ? undefined : aborted === 'true',
})
