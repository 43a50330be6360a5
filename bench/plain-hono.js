// For scale: Hono with zod-openapi reading a transfer from a Map, and validating and storing a payout. It
// has no authentication, ledger, events, journal or request log. The transfer is passed as an argument.
// events, no journal, no request log. The transfer comes as an argument.
import { serve } from '@hono/node-server'
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'

const text = z.string().min(1).max(255)
const request = z.object({
  user_id: z.uuid(),
  currency: z.string().length(3),
  customer_payout_id: z.uuid(),
  amount: z.string().regex(/^\d+\.\d{2}$/),
  recipient_details: z.object({
    bank_name: text,
    account_holder_name: text,
    recipient_account_number: text,
  }),
})
const payout = request.extend({ id: z.uuid(), status: z.literal('PENDING'), accepted_at: text })
const json = (schema) => ({ content: { 'application/json': { schema } } })

const payouts = new Map()
const transfer = JSON.parse(process.argv[2])
const transfers = new Map([[transfer.id, transfer]])
const app = new OpenAPIHono()
const status = createRoute({
  method: 'get',
  path: '/payment/api/v1/fx-audit/status/{transaction_id}',
  request: { params: z.object({ transaction_id: z.uuid() }) },
  responses: { 200: { description: 'The transfer', ...json(z.looseObject({ id: z.uuid() })) } },
})
app.openapi(status, (c) => c.json(transfers.get(c.req.valid('param').transaction_id), 200))
const route = createRoute({
  method: 'post',
  path: '/payment/api/v1/payout',
  request: { body: { required: true, ...json(request) } },
  responses: { 200: { description: 'The payout', ...json(payout) } },
})
app.openapi(route, (c) => {
  const body = c.req.valid('json')
  const accepted_at = new Date().toISOString()
  const made = { id: crypto.randomUUID(), ...body, status: 'PENDING', accepted_at }
  payouts.set(body.customer_payout_id, made)
  return c.json(made, 200)
})
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  process.stdout.write(`hono listening on http://127.0.0.1:${port}\n`)
})
