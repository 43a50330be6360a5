import * as z from 'zod'
import { uuid } from '../../contract/fields.js'
import { findEntriesAbout } from '../../history/explain.js'
import type { MemoryJournal } from '../../history/memory-journal.js'
import type { ExchangeFilter } from '../../history/views.js'
import { operationIds } from '../../scenarios/language/operations.js'

const STATUS = 'a status such as 404, or a class of them: 2xx, 3xx, 4xx or 5xx'

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
  record: uuid().optional().meta({
    description: 'Only those that caused an entry about this record, or contain its id',
  }),
  user_id: uuid().optional().meta({ description: 'Only of this user' }),
  fault: z.enum(['true', 'false']).optional().meta({
    description: 'Only those that a rule answered, altered, delayed or cut off, or only the others',
  }),
  aborted: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'Only those whose client left before the answer, or only the others' }),
})

export const parseExchangeFilter = (
  { fault, aborted, record, ...rest }: z.output<typeof exchangeFilters>,
  journal: MemoryJournal,
): ExchangeFilter => ({
  ...rest,
  about: record === undefined ? undefined : aboutRecord(record, journal),
  fault: fault === undefined ? undefined : fault === 'true',
  aborted: aborted === undefined ? undefined : aborted === 'true',
})

const aboutRecord = (id: string, journal: MemoryJournal): ExchangeFilter['about'] => ({
  id,
  entries: findEntriesAbout(journal.all(), id),
})
