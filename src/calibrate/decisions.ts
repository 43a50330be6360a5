import { DECISIONS } from '../assumptions/decided.js'
import { parseInstant } from '../kernel/time.js'
import { type Exchange, getField, getText, isOk, isRedacted } from './exchange.js'
import { isKeyRefusal, type Traffic, userOf } from './traffic.js'

/** An answer that contradicts a point of "Decided so" in FIDELITY.md. */
export interface Contradiction {
  readonly about: string
  readonly decided: string
  readonly shown: Exchange
}

const age = (x: Exchange): number =>
  (x.at - parseInstant(`${getText(x.body, 'date_of_birth')}T00:00:00Z`)) / 31_556_952_000

const isOdd = (text: string | undefined, form: RegExp): boolean =>
  text !== undefined && !form.test(text) && !isRedacted(text)

/** Whether an accepted request breaks a rule that we decided. */
const ACCEPTED: Readonly<Record<string, (x: Exchange) => boolean>> = {
  'currencies and amounts of payouts': (x) =>
    x.operation === 'createPayout' &&
    (isOdd(getText(x.body, 'currency'), /^[A-Z]{3}$/) ||
      typeof getField(x.body, 'amount') !== 'string' ||
      isOdd(getText(x.body, 'amount'), /^\d+(?:\.\d+)?$/)),
  'formats of a user': (x) =>
    x.operation === 'createUser' &&
    (age(x) < 17.9 || isOdd(getText(x.body, 'phone_number'), /^\+\d{7,15}$/)),
  consents: (x) =>
    (x.operation === 'createConsent' && getField(x.body, 'tnc_data.tnc_accepted') === false) ||
    (x.operation === 'createUser' && getField(x.body, 'sharing_consent') === false),
  'required fields': (x) =>
    (x.operation === 'createCustodyWallet' && x.body?.customer_wallet_ref === undefined) ||
    (x.operation === 'initiateOfframp' && x.body?.account_id === undefined) ||
    (x.operation === 'createUser' && x.body?.identity === undefined),
  chains: (x) =>
    x.operation === 'createCustodyWallet' && isOdd(getText(x.answer, 'blockchain'), /^[^A-Z]+$/),
}

/** Rules about answers of any status. */
const ANSWERED: Readonly<Record<string, (x: Exchange, t: Traffic) => boolean>> = {
  'a payout without a key, or with a malformed one': ({ operation, key, status }) =>
    operation === 'createPayout' && key === undefined && ![401, 403].includes(status),
  'unknown paths, wrong methods, a trailing slash': (x) =>
    x.operation === undefined && x.key !== undefined && !isKeyRefusal(x) && x.status !== 404,
  'another content type, a body that is too large': (x) =>
    x.status === 413 ||
    x.status === 415 ||
    (x.method === 'POST' && x.contentType !== '' && !/json/.test(x.contentType) && isOk(x)),
  'a read-only key': ({ method, answer }) =>
    method === 'GET' && getField(answer, 'code') === '4300',
}

/** An item of a list that shows what we decided otherwise. */
const findListed = (t: Traffic): [string, Exchange | undefined][] => {
  const details = new Set(t.details.map(({ it }) => it.id))
  const items = [...t.offramps, ...t.transfers]
  const account = items.find(({ it }) =>
    isOdd(it.destination_account?.account_type ?? undefined, /^bank_account$/),
  )
  const addresses = new Map<string, string>()
  const moved = t.ok('initiateOfframp').find((x) => {
    const { address, crypto, chain } = x.answer
    const name = `${userOf(x)} ${getText(x.body, 'account_id')} ${crypto} ${chain}`
    const known = addresses.get(name)
    addresses.set(name, address ?? '')
    return known !== undefined && known !== address
  })
  return [
    ['account_type of a destination account', account?.x],
    ['offramps', t.offramps.find(({ it }) => it.id && details.has(it.id))?.x],
    ['deposit addresses', moved],
  ]
}

export const findContradictions = (t: Traffic): Contradiction[] => {
  const accepted = t.all.filter((x) => x.body !== undefined && t.isNew(x))
  const found: [string, Exchange | undefined][] = [
    ...Object.entries(ACCEPTED).map(([about, breaks]): [string, Exchange | undefined] => [
      about,
      accepted.find(breaks),
    ]),
    ...Object.entries(ANSWERED).map(([about, breaks]): [string, Exchange | undefined] => [
      about,
      t.all.find((x) => breaks(x, t)),
    ]),
    ...findListed(t),
  ]
  return found.flatMap(([about, shown]) => {
    const decision = DECISIONS.find((it) => it.about === about)
    return shown && decision ? { about, decided: decision.behaviour, shown } : []
  })
}
