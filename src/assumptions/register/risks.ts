import type { AssumptionId } from '../ids.js'

/**
 * The cost of a wrong guess. `high`: money moves twice or is lost. `medium`: a client takes the
 * wrong branch. `low`: only a shape differs, or the service accepts more.
 */
export const RISKS = ['high', 'medium', 'low'] as const
export type Risk = (typeof RISKS)[number]

export interface RiskAssessment {
  readonly risk: Risk
  /** Completes "If the service reads it otherwise, …". */
  readonly consequence: string
}

const assess =
  (risk: Risk) =>
  (consequence: string): RiskAssessment => ({ risk, consequence })
const high = assess('high')
const medium = assess('medium')
const low = assess('low')

const TAKES_MORE = 'it accepts requests that are refused here; a client that works here works there'
const ONE_STATUS =
  'a client that accepts one status only takes a success for a failure, and may send it again'
const OTHER_STATUS = 'a client that branches on the status takes the wrong branch'

/** The risk of each assumption. */
export const RISK_ASSESSMENTS: Readonly<Record<AssumptionId, RiskAssessment>> = {
  'payout.key': medium(
    'a client that waits for 403 and code 4030 takes a payout without key for something else',
  ),
  'payout.repeat': high(
    'a retry after a timeout pays a second time, or is refused although the first one has paid',
  ),
  'payout.changed_repeat': high(
    'a client that reuses an id takes its second payout for paid, or a retry for refused',
  ),
  'payout.balance': medium(
    'a client takes a balance that is missing or too small for an unknown user or a malformed request',
  ),
  'payout.status': high(
    'a client books a payout as paid that is still pending and may fail, or pays it again',
  ),
  'payout.statuses': medium('a client does not recognise a payout that is pending or has failed'),
  'payout.transitions': high(
    'a client never notices that a payout came back, and the recipient stays unpaid',
  ),
  'payout.fee': high(
    'the recipient gets less than the amount, or the balance lasts for fewer payouts than planned',
  ),
  'payout.failed_fee': high(
    'the balance is smaller than the books of the client say after each payout that fails',
  ),
  'payout.source': high(
    'payouts are refused although the client sees a balance, or spend crypto that it counts on',
  ),
  'payout.rail': medium('payouts use another rail, with another fee and another time of arrival'),
  'payout.currency': medium(
    'a client takes a mistyped currency for one without balance, or the other way round',
  ),
  'payout.amount_form': low(TAKES_MORE),
  'payout.amount_scale': medium('another amount is paid than the one that was asked for'),
  'payout.amount_limits': medium('payouts are refused that pass here, the smallest ones first'),
  'payout.account_number': medium(
    'payouts to a number that its rail cannot pay to are refused that pass here',
  ),
  'repeat.scope': medium(
    'an id that two users share is refused, or names the payout or wallet of the other',
  ),
  'repeat.in_flight': high(
    'a client that times out and retries while its first payout is still running pays twice',
  ),
  'user.gate': medium(
    'money moves for users who are not approved, unless the client checks the status itself',
  ),
  'user.required': low(TAKES_MORE),
  'user.absent': medium('users with null in an optional field are refused'),
  'user.formats': low(TAKES_MORE),
  'user.age': medium('users under 18 are accepted, unless the client checks their age'),
  'user.email': medium('a retry after a timeout creates the same person twice'),
  'user.duplicate_person': medium(
    'one person has two users, or a second person with the same phone number is refused',
  ),
  'user.paused': medium('a client takes a paused user for active, and its payouts are refused'),
  'user.transitions': medium('a user leaves a status that a client treats as final'),
  'user.rejection_reasons': medium('a client finds no reason under the name that it reads'),
  'user.requirements': medium('a client shows objects where it expects names of fields'),
  'users.list': medium('a client fails on the list, or sees its first page only'),
  'consent.validity': medium(
    'users are created without a valid consent, unless the client prevents it',
  ),
  'consent.reuse': medium('a client that records one consent for several users is refused'),
  'consent.time': medium('a client whose clock runs ahead cannot record a consent'),
  'wallet.chain': medium(
    'a misspelt chain creates a wallet, and crypto that is sent to it may be lost',
  ),
  'wallet.repeat': medium(
    'a retry creates a second wallet or is refused, and deposits are spread over two addresses',
  ),
  'wallet.status': medium(
    'a client takes a new wallet for unusable, or gives its address away before it is ready',
  ),
  'chain.spelling': medium('a client that compares chains letter by letter finds none'),
  'address.case': medium('a client that compares addresses letter by letter finds none'),
  'offramp.asset': high(
    'a client that does not read token and chain from the response sends crypto that nobody expects',
  ),
  'offramp.address': high('a client that keeps one address for an account sends to an old one'),
  'offramp.listed': medium(
    'the audit shows offramps without money, which a client counts as deposits',
  ),
  'offramp.id': medium('a client reads a transfer by an id that is not a transfer’s'),
  'offramp.foreign_account': medium(OTHER_STATUS),
  'offramp.below_fee': high(
    'a small deposit stays unmatched and never appears in an audit, while a client waits for it',
  ),
  'offramp.other_token': high(
    'crypto that was sent by mistake is converted and paid out, and a client that refunded it pays twice',
  ),
  'offramp.created_at': medium(
    'a client that matches offramps by their time, or reads the newest first, finds the wrong one',
  ),
  'deposit.limits': high(
    'a deposit that a client lets its user send is never converted, and appears in no audit',
  ),
  'deposit.inactive_user': high(
    'crypto of a paused user is sent back, while a client waits for its conversion',
  ),
  'audit.pages': medium('a loop that ends on an empty page ends in an error'),
  'audit.amounts': high('a client credits more than arrives, and loses the fees'),
  'audit.size': medium('a client gets fewer items than it asked for and takes them for all'),
  'audit.spelling': medium(
    'comparisons with a status or currency that a client has seen never match',
  ),
  'audit.account_type': medium('a client fails on an account_type that it does not know'),
  'transfer_audit.offramps': medium(
    'offramps are missing from the list, or counted twice when both lists are added up',
  ),
  'transfer.transitions': high(
    'a client books a payment as final that comes back, or waits for a status that never arrives',
  ),
  'transfer.failed_funds': high(
    'a client looks for the money of a failed transfer in the wrong place, or refunds it twice',
  ),
  'conversion.rounding': high(
    'amounts that a client computes differ from those that arrive, by one cent at a time',
  ),
  'conversion.rate_fixed': medium(
    'a client promises an amount that differs from the one that arrives when rates move',
  ),
  'transfer.fees_currency': high('fees are booked in the wrong currency'),
  'transfer.rate': high('amounts that a client computes by the rate are wrong'),
  'transfer.unconverted': medium('a client fails on null in an amount, or shows a sum of zero'),
  'transfer.unreached': low('a client fails on a time that is not there'),
  'balance.total': high('a client that adds up or looks up entries finds other sums'),
  'balance.scope': high(
    'a client that adds offramps under way to the balance counts the same crypto twice',
  ),
  'balance.scale': low('the figure has more decimals than a client shows'),
  'crypto.unknown': medium(
    'a client takes a mistyped token for a balance of zero, or an error where it expects zero',
  ),
  'wire.strictness': medium(
    'requests with fields or parameters that the contract does not name are refused',
  ),
  'required.fields': medium(
    'a call without account pays out to the user’s oldest account instead of being refused',
  ),
  'resource.unknown': medium(
    'a client takes a mistyped id for an invalid request, or for a user without money',
  ),
  'error.codes': medium('a client that branches on the code takes the wrong branch'),
  'error.order': medium(OTHER_STATUS),
  'created.status': medium(ONE_STATUS),
  'list.order': medium('a client that reads the first page only never sees new records'),
  'size.limits': medium('users with large images and payouts to long names are refused'),
  'uuid.form': medium('requests with ids that are accepted here are refused'),
  'http.plain': low(
    'a client with a wrong address follows a redirect, or is disconnected without a reason',
  ),
  'path.unknown': low('a misspelt path looks like a missing key'),
  'path.method': low('a wrong method looks like something else'),
  'body.type': low('a wrong content type looks like an invalid request'),
  'body.size': low('a body that is too large looks like an invalid request'),
  'time.form': medium(
    'a client that parses one format only fails on each response with a time, or loses milliseconds',
  ),
  'wallet.same_chain': medium('a second wallet on a chain is refused, where a client relies on it'),
  'key.permissions': medium('a client with a read-only key cannot list users'),
}
