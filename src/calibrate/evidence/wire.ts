import type { AssumptionId } from '../../assumptions/ids.js'
import { parseInstant } from '../../kernel/time.js'
import { groupBy } from '../../lib/group-by.js'
import { canonical, type Exchange, getField, getText, isOk } from '../exchange.js'
import { type Answered, AUDITS, isNobody, type Traffic, userOf } from '../traffic.js'
import { accepts, type EvidenceOf, type Say, seen } from './rows.js'

const POSTS = [
  'createPayout',
  'createCustodyWallet',
  'initiateOfframp',
  'createUser',
  'createConsent',
] as const

const FIELDS: Readonly<Record<(typeof POSTS)[number], string>> = {
  createPayout: 'user_id currency customer_payout_id amount recipient_details',
  createCustodyWallet: 'user_id chain customer_wallet_ref',
  initiateOfframp: 'user_id account_id',
  createUser:
    'first_name last_name email_address phone_number date_of_birth user_type consent_id sharing_consent identity address metadata documents',
  createConsent: 'tnc_data',
}

const unknownFields = (x: Exchange): string[] => {
  const known = FIELDS[x.operation as (typeof POSTS)[number]].split(' ')
  return Object.keys(x.body ?? {}).filter((name) => !known.includes(name))
}

const isPage = (name: string): boolean => /^(?:page|size)$/.test(name)

const findStrictParameters = (t: Traffic, say: Say<'strict' | 'closed'>): void => {
  for (const id of AUDITS) {
    const plain = groupBy(
      t.ok(id).filter(({ query }) => query.length === 0),
      (x) => `${x.key} ${userOf(x)}`,
    )
    for (const x of t.of(id)) {
      const names = x.query.map(([name]) => name)
      const values = x.query.filter(([name]) => isPage(name))
      const [other] = plain.get(`${x.key} ${userOf(x)}`) ?? []
      if (names.every(isPage) || values.length > 0 || !other) continue
      say(isOk(x) ? 'strict' : x.status === 400 ? 'closed' : [], 'an unknown parameter', x, other)
    }
  }
}

const findStrictFields = accepts(
  ...POSTS.map((operation) => ({
    operation,
    isOdd: (x: Exchange) => unknownFields(x).length > 0,
    fields: unknownFields,
    accepted: 'strict' as const,
    refused: 'closed' as const,
  })),
)

const LISTED_CODES = /^(?:4030|4100|4101|4102|4103|4300)$/

const codeKind = ({ status, answer }: Exchange): string | undefined => {
  const code = getField(answer, 'code')
  if (status < 400 || code === undefined || LISTED_CODES.test(String(code))) return undefined
  if (String(code) === String(status)) return 'the status'
  const isBuilt =
    /^\d{4}$/.test(String(code)) && String(code).startsWith(String(status).slice(0, 2))
  return isBuilt ? 'four digits' : `${status} ${code}`
}

const findUnknownUser = (t: Traffic): readonly Exchange[] => {
  const pairs = new Set(
    t
      .ok('getCryptoBalance')
      .filter((x) => !isNobody(userOf(x)))
      .map(({ params }) => `${params.crypto} ${params.blockchain}`),
  )
  return [
    ...AUDITS.flatMap((id) => t.of(id).filter(({ query }) => query.length === 0)),
    ...t
      .of('getCryptoBalance')
      .filter(({ params }) => pairs.has(`${params.crypto} ${params.blockchain}`)),
  ].filter(
    (x) =>
      isNobody(userOf(x)) &&
      x.path === x.path.toLowerCase().replace(/usd[ct]/g, (it) => it.toUpperCase()),
  )
}

const nameOrder = ({ answer }: { readonly answer: unknown }): string | undefined => {
  const { transactions } = answer as Answered<'getTransferAudit'>['answer']
  const times = (transactions ?? []).map((it) => parseInstant(it.created_at ?? ''))
  const steps = times.slice(1).map((time, i) => time - (times[i] ?? time))
  if (steps.some(Number.isNaN) || steps.every((step) => step === 0)) return undefined
  if (steps.every((step) => step <= 0)) return 'newest first'
  return steps.every((step) => step >= 0) ? 'oldest first' : undefined
}

const MIB = 1024 * 1024
const isLarge = ({ size }: Exchange): boolean => size > 10 * MIB && size <= 20 * MIB

/** Base64 has four characters for three bytes. */
const hasLargeImage = ({ body }: Exchange): boolean =>
  ['front', 'back'].some((side) => {
    const image = getText(body, `identity.identity_document_${side}`) ?? ''
    return image.length > (5 * MIB * 4) / 3 + 100
  })

const IMAGES = ['identity.identity_document_front', 'identity.identity_document_back']

const findLimits = (t: Traffic, say: Say<'usual' | 'small'>): void => {
  for (const operation of POSTS)
    for (const x of t.of(operation)) {
      if (!isLarge(x) && !hasLargeImage(x)) continue
      if (isOk(x)) say('usual', `${x.size} bytes are accepted`, x)
      else if (x.status === 413) say('small', `${x.size} bytes are too many`, x)
      else if (x.status === 400) {
        const body = canonical(x.body, IMAGES)
        const small = t
          .of(operation)
          .find((y) => y.size < 5 * MIB && isOk(y) && canonical(y.body, IMAGES) === body)
        if (small) say('small', `${x.size} bytes are refused, and fewer accepted`, x, small)
      }
    }
}

const TIMES = ['createPayout', 'getTransferStatus', ...AUDITS] as const

const formOf = (time: string): string => {
  const [, form] = /T\d\d:\d\d:\d\d(\.\d{3}Z|Z|\.\d{3}\+00:00)"$/.exec(time) ?? []
  return form?.replace(/\d{3}/, '000') ?? time
}

export const wireEvidence = {
  'wire.strictness': {
    needs: 'getTransferAudit with an unknown parameter, and without it',
    find: (t, say, left) => {
      findStrictParameters(t, say)
      findStrictFields(t, say, left)
    },
  },
  'error.codes': {
    needs: 'any request that is refused with 400 or 404',
    find: seen({ 'four digits': 'sandbox', 'the status': 'status' }, (t) =>
      t.all.map((x) => [codeKind(x), x]),
    ),
  },
  'resource.unknown': {
    needs: 'getTransferAudit of a user whose id begins with 5a4d5052',
    find: seen({ 'status 404': 'not_found', 'status 200': 'empty' }, (t) =>
      findUnknownUser(t).map((x) => [`status ${x.status}`, x]),
    ),
  },
  'created.status': {
    needs: 'createConsent and createUser',
    find: seen(
      {
        'createConsent 200': ['mixed', 'ok'],
        'createConsent 201': 'created',
        'initiateOfframp 200': ['mixed', 'ok'],
        'initiateOfframp 201': 'created',
        'createUser 200': 'ok',
        'createUser 201': ['mixed', 'created'],
        'createCustodyWallet 200': 'ok',
        'createCustodyWallet 201': ['mixed', 'created'],
      },
      (t) =>
        t
          .of('createConsent', 'initiateOfframp', 'createUser', 'createCustodyWallet')
          // A wallet that exists already may be shown with 200.
          .filter((x) => x.status >= 200 && x.status < 300 && (x.status !== 200 || t.isNew(x)))
          .map((x) => [`${x.operation} ${x.status}`, x]),
    ),
  },
  'list.order': {
    needs: 'getTransferAudit with two items or more',
    find: seen({ 'newest first': 'newest_first', 'oldest first': 'oldest_first' }, (t) =>
      AUDITS.flatMap((id) => [...t.ok(id)]).map((x) => [nameOrder(x), x as Exchange]),
    ),
  },
  'size.limits': {
    needs: 'createConsent with a body of 11 MiB, and the same without the white space',
    find: findLimits,
  },
  'time.form': {
    needs: 'createPayout',
    find: seen({ '.000Z': 'milliseconds', Z: 'seconds', '.000+00:00': 'offset' }, (t) =>
      TIMES.flatMap((id): readonly Exchange[] => t.ok(id)).flatMap((x) =>
        (x.text.match(/"\w+_at":\s*"[^"]*"/g) ?? []).map((time) => [formOf(time), x] as const),
      ),
    ),
  },
} satisfies Partial<EvidenceOf<AssumptionId>>
