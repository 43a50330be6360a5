import createClient from 'openapi-fetch'
import { drive, headers, url } from './flow'
import type { paths } from './out/openapi-typescript/schema'

const { GET, POST } = createClient<paths>({ baseUrl: url, headers })

/** Returns the data of a success; throws the error otherwise. */
async function data<T>(call: Promise<{ data?: T; error?: unknown }>) {
  const { data, error } = await call
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

await drive({
  createConsent: (body) => data(POST('/onboarding/api/v1/tnc', { body })),
  createUser: (body) => data(POST('/onboarding/api/v1/users', { body })),
  createPayout: (body) => data(POST('/payment/api/v1/payout', { body })),
  createCustodyWallet: (body) => data(POST('/payment/api/v1/custody-wallet', { body })),
  initiateOfframp: (body) => data(POST('/payment/api/v1/offramp', { body })),
  getOfframpAudit: (user_id) =>
    data(GET('/payment/api/v1/offramp-audit/{user_id}', { params: { path: { user_id } } })),
  getTransferStatus: (transaction_id) =>
    data(
      GET('/payment/api/v1/fx-audit/status/{transaction_id}', {
        params: { path: { transaction_id } },
      }),
    ),
})
