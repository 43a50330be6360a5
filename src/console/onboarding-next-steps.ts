import { IMAGE_EXAMPLE } from '../contract/user.js'
import type { Tables, User } from '../domain/schema.js'
import { fullName, userTransitionsIn } from '../domain/users.js'
import { toIso } from '../kernel/time.js'
import { userGiven } from './components/filters.js'
import { controlCurl, demoCurl } from './curl.js'
import type { PageContext } from './page-context.js'

/** What to do next where something is missing. Without a command, its words are all there is to say. */
export interface NextStep {
  readonly words: string
  readonly command?: string
}

/** The same step, with the reason for it. */
export const withReason = (reason: string, step: NextStep): NextStep => ({
  ...step,
  words: `${reason} ${step.words}`,
})

/** The user that a page is about, or else one that can do something; the one who comes closest, if none can. */
const formatSubject = (ctx: PageContext): User | undefined => {
  const { users } = ctx.tables
  const found = (['active', 'under_review', 'paused', 'incomplete', 'rejected'] as const)
    .map((status) => users.first('status', status))
    .find((user) => user !== undefined)
  return users.get(userGiven(ctx) ?? '') ?? found
}

/** A user who is active, or what leads to one. */
export const userOrStep = (ctx: PageContext): User | NextStep => {
  const user = formatSubject(ctx)
  if (!user) return withReason('There is no user.', nextStepForAnotherUser(ctx))
  if (user.status === 'active') return user
  const moves = userTransitionsIn(ctx.tables)[user.status]
  const status = moves.find((it) => it === 'active') ?? moves.find((it) => it === 'under_review')
  const standing = `${fullName(user)} is ${user.status}`
  if (!status) return { words: `${standing}, which is for good.` }
  return {
    words: `${standing}, and only active users can have any. Move this one to ${status}:`,
    command: controlCurl(ctx, `/users/${user.id}/status`, { status }),
  }
}

/** What a client does to onboard a user. */
export const nextStepForAnotherUser = (ctx: PageContext): NextStep => {
  if (ctx.tables.api_keys.size === 0) {
    const key = { name: 'First key', permissions: 'full' }
    return {
      words: 'No API key is there to call with either. Create one:',
      command: controlCurl(ctx, '/api-keys', key),
    }
  }
  const consent = unusedConsent(ctx.tables)
  if (consent === undefined) {
    const day = toIso(ctx.world.now).slice(0, 10)
    const tnc_data = { tnc_accepted: true, accepted_at: `${day}T00:00:00.000Z` }
    return {
      words: 'A client records a consent first, and then onboards a user with it:',
      command: demoCurl(ctx, '/onboarding/api/v1/tnc', { tnc_data }),
    }
  }
  return {
    words: 'A client onboards one:',
    command: demoCurl(ctx, '/onboarding/api/v1/users', userBody(ctx.tables, consent)),
  }
}

const unusedConsent = ({ consents }: Tables): string | undefined =>
  consents.list('all', '').findLast(({ used_by, declined }) => used_by === null && !declined)?.id

const userBody = ({ users }: Tables, consent_id: string) => ({
  first_name: 'Zoe',
  last_name: 'Nwosu',
  email_address: `zoe.nwosu.${users.next}@example.com`,
  phone_number: '+2348012345678',
  user_type: 'individual',
  date_of_birth: '1990-04-12',
  consent_id,
  sharing_consent: true,
  identity: {
    identity_country_code: 'NGA',
    identity_number: 'A07654321',
    identity_document_name: 'Passport',
    identity_document_front: IMAGE_EXAMPLE,
    identity_document_back: IMAGE_EXAMPLE,
  },
  address: {
    line1: '14 Marina Road',
    city: 'Lagos',
    sub_division: 'Lagos',
    country: 'NGA',
    postal_code: '101241',
  },
})
