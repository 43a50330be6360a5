import fc from 'fast-check'
import { PAYOUT_TRANSITIONS } from '../../../src/domain/payouts.js'
import { PAYOUT_STATUSES, TRANSFER_STATUSES } from '../../../src/domain/schema.js'
import { TRANSFER_TRANSITIONS } from '../../../src/domain/transfers.js'
import {
  amounts,
  chains,
  currencies,
  idAt,
  moveFrom,
  moves,
  names,
  ownerOf,
  rarely,
  reasons,
  tokens,
  verb,
  which,
} from './choices.js'

const NOBODY = `0x${'12'.repeat(20)}`

/** Commands that move money. */
export const moneyVerbs = {
  'balance.credit': verb(
    'balance.credit',
    3,
    fc.record({ user: which, currency: currencies, amount: amounts }),
    (tables, { user, ...rest }) => ({ user_id: idAt(tables, 'users', user), ...rest }),
  ),
  'offramp.initiate': verb(
    'offramp.initiate',
    3,
    fc.record({ account: which, foreign: rarely }),
    (tables, { account, foreign }) => {
      const account_id = idAt(tables, 'accounts', account)
      return { user_id: ownerOf(tables, account_id, foreign), account_id }
    },
  ),
  'deposit.receive': verb(
    'deposit.receive',
    6,
    fc.record({
      to: fc.constantFrom('instruction', 'instruction', 'wallet', 'nobody'),
      place: which,
      amount: amounts,
      crypto: fc.option(tokens, { nil: undefined, freq: 2 }),
      chain: fc.option(chains, { nil: undefined, freq: 2 }),
    }),
    (tables, { to, place, ...rest }) => {
      const instruction = tables.instructions.get(idAt(tables, 'instructions', place))
      const wallet = tables.wallets.get(idAt(tables, 'wallets', place))
      const known = {
        instruction: instruction?.address,
        wallet: wallet?.wallet_address,
        nobody: NOBODY,
      }
      return { address: known[to as keyof typeof known] ?? NOBODY, ...rest }
    },
  ),
  'transfer.start': verb(
    'transfer.start',
    5,
    fc.record({ account: which, foreign: rarely, currency: currencies, amount: amounts }),
    (tables, { account, foreign, currency, amount }) => {
      const account_id = idAt(tables, 'accounts', account)
      const user_id = ownerOf(tables, account_id, foreign)
      return { user_id, account_id, source_currency: currency, source_amount: amount }
    },
  ),
  'transfer.move': verb(
    'transfer.move',
    10,
    fc.record({ transfer: which, to: moves(TRANSFER_STATUSES), reason: reasons }),
    (tables, { transfer, to, reason }) => {
      const id = idAt(tables, 'transfers', transfer)
      return {
        id,
        to: moveFrom(TRANSFER_TRANSITIONS, tables.transfers.get(id)?.status, to),
        reason,
      }
    },
  ),
  'transfer.resume': verb('transfer.resume', 2, which, (tables, place) => ({
    id: idAt(tables, 'transfers', place),
  })),
  'transfer.read': verb('transfer.read', 6, which, (tables, place) => ({
    id: idAt(tables, 'transfers', place),
  })),
  'payout.create': verb(
    'payout.create',
    7,
    fc.record({
      user: which,
      currency: currencies,
      name: names,
      amount: amounts,
      bank: fc.constantFrom('First Bank', 'm-pesa', 'Safaricom M-PESA'),
    }),
    (tables, { user, name, bank, ...rest }) => ({
      user_id: idAt(tables, 'users', user),
      customer_payout_id: name,
      ...rest,
      recipient_details: {
        bank_name: bank,
        account_holder_name: 'Amina Yusuf',
        recipient_account_number: '0123456789',
      },
    }),
  ),
  'payout.move': verb(
    'payout.move',
    4,
    fc.record({ payout: which, to: moves(PAYOUT_STATUSES), reason: reasons }),
    (tables, { payout, to, reason }) => {
      const id = idAt(tables, 'payouts', payout)
      return { id, to: moveFrom(PAYOUT_TRANSITIONS, tables.payouts.get(id)?.status, to), reason }
    },
  ),
  'rate.set': verb(
    'rate.set',
    1,
    fc.record({ place: which, rate: fc.constantFrom('0.8', '0.9012345678', '1', '1.2', '1333') }),
    (tables, { place, rate }) => {
      const [base = '', quote = ''] = idAt(tables, 'rates', place).split('/')
      return { base, quote, rate }
    },
  ),
}
