import { drive, headers, url } from './flow'
import * as api from './out/hey-api'
import { createClient } from './out/hey-api/client'

const options = {
  client: createClient({ baseUrl: url, headers }),
  throwOnError: true,
} as const

await drive({
  createConsent: async (body) => (await api.createConsent({ ...options, body })).data,
  createUser: async (body) => (await api.createUser({ ...options, body })).data,
  createPayout: async (body) => (await api.createPayout({ ...options, body })).data,
  createCustodyWallet: async (body) => (await api.createCustodyWallet({ ...options, body })).data,
  initiateOfframp: async (body) => (await api.initiateOfframp({ ...options, body })).data,
  getOfframpAudit: async (user_id) =>
    (await api.getOfframpAudit({ ...options, path: { user_id } })).data,
  getTransferStatus: async (transaction_id) =>
    (await api.getTransferStatus({ ...options, path: { transaction_id } })).data,
})
