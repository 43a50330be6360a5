import * as z from 'zod'
import { type Operation, ok, operation } from '../../http/operation/operation.js'

const call = z
  .object({
    method: z.string().meta({ example: 'POST' }),
    path: z.string().meta({ example: '/_sandbox/clock/advance' }),
    summary: z.string().meta({ example: 'Advance the clock' }),
  })
  .meta({ id: 'ControlCall' })

/** Lists all calls of the control API. */
export const callsOperation = (operations: () => readonly Operation[]): Operation =>
  operation({
    id: 'listCalls',
    method: 'get',
    path: '/_sandbox',
    tag: 'Sandbox',
    summary: 'List the calls of the control API',
    description: 'Every call with its method and path. `/_sandbox/openapi.json` has the details.',
    answers: {
      200: {
        description: 'The calls',
        schema: z
          .object({
            document: z.string().meta({ example: '/_sandbox/openapi.json' }),
            reference: z.string().meta({ example: '/reference' }),
            calls: z.array(call),
          })
          .meta({ id: 'ControlCalls' }),
      },
    },
    errors: [],
    handle: () => {
      const calls = operations().map(({ method, path, summary }) => ({
        method: method.toUpperCase(),
        path,
        summary,
      }))
      return ok({ document: '/_sandbox/openapi.json', reference: '/reference', calls })
    },
  })
