import * as z from 'zod'
import type { DepositAddress } from '../domain/schema.js'
import { uuid } from './fields.js'
import { documented, observed } from './provenance.js'

export const offrampRequest = z
  .object({
    user_id: documented(uuid(), 'The user of the offramp', '11111111-1111-4111-8111-000000000001'),
    account_id: documented(
      uuid(),
      'The registered destination account to which the fiat is sent',
      '22222222-2222-4222-8222-000000000001',
    ),
  })
  .meta({ id: 'OfframpRequest' })

export const offrampInstruction = z
  .object({
    address: documented(
      z.string(),
      'Crypto deposit address',
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    ),
    crypto: observed(
      z.string(),
      'Symbol of the token to send; upper case is observed',
      'USDC',
      'offramp.asset',
    ),
    chain: documented(z.string(), 'Blockchain network', 'polygon'),
  })
  .meta({ id: 'OfframpInstruction' })

export const toDepositAddressResponse = (
  record: DepositAddress,
): z.input<typeof offrampInstruction> => ({
  address: record.address,
  crypto: record.crypto,
  chain: record.chain,
})
