import { drive, headers, url } from './flow'
import * as api from './out/kubb'
import { setConfig } from './out/kubb/.kubb/fetch'

const config = {
  baseURL: url,
  headers: { ...headers, 'content-type': 'application/json' },
}
setConfig(config)

await drive({
  createConsent: (body) => api.createConsent(body),
  createUser: (body) => api.createUser(body),
  createPayout: (body) => api.createPayout(body),
  createCustodyWallet: (body) => api.createCustodyWallet(body),
  initiateOfframp: (body) => api.initiateOfframp(body),
  getOfframpAudit: (user_id) => api.getOfframpAudit(user_id),
  getTransferStatus: (transaction_id) => api.getTransferStatus(transaction_id),
})
