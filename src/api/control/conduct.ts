import * as z from 'zod'
import { HABITS, judgeConduct } from '../../history/conduct.js'
import { showExchange } from '../../history/views.js'
import { ok, operation } from '../../http/operation/operation.js'

const line = z
  .object({
    habit: z.enum(Object.keys(HABITS) as [keyof typeof HABITS]),
    state: z.enum(['ok', 'note', 'not_seen']).meta({
      description: '`not_seen`: no request exercised the habit. A note fails nothing',
    }),
    text: z.string().meta({ example: 'the same id and body' }),
    requests: z.array(z.int()).meta({ description: 'Their numbers in the log', example: [1, 2] }),
  })
  .meta({ id: 'ConductLine' })

export const readConduct = operation({
  id: 'readConduct',
  method: 'get',
  path: '/_sandbox/conduct',
  tag: 'Requests',
  summary: 'Judge the habits of the client',
  description:
    'One line per habit, from the request log: ids after an unknown outcome, `retry-after`, backoff, ' +
    'attempts, polling, refused payments, timeouts, and reads after the end.',
  answers: {
    200: {
      description: 'The habits',
      schema: z.object({ conduct: z.array(line) }).meta({ id: 'Conduct' }),
    },
  },
  handle: async ({ live }) => {
    await live.requests.update()
    return ok({ conduct: judgeConduct(live.requests.list().map(showExchange)) })
  },
})
