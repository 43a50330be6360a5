import { payoutRequest } from '../support/requests.js'
import { CLIENT_FETCH } from './client-fetch.js'
import { makeFolder } from './sandramp.js'

/** The smallest scenario that fails payouts. */
export const SHORT_SCENARIO = `
name: bad-day
title: Payouts fail
rules: [{ when: payout.created, then: [{ move: PAYOUT_FAILED }] }]
expect: [{ payouts: { status: PAYOUT_FAILED } }]
`.trimStart()

export const SCENARIO = `
name: bad-day
title: Payouts fail
rules:
  - when: payout.created
    then: [{ after: 30s, move: PAYOUT_FAILED, reason: limit_exceeded }]
  - when: request
    if: { operation: listUsers }
    limit: 1
    then: [{ respond: { status: 503 } }]
  - when: user.created
    then: [{ stop: true }]
expect:
  - { payouts: { status: PAYOUT_FAILED }, count: { lte: 1 } }
  - { requests: { operation: listUsers, status: 503 }, after: { payouts: {} } }
  - { audit: clean }
`.trimStart()

/** Pays once and prints the id, reads the users once, and prints the responses. */
const PAY = `
import { fetch } from './fetch.mjs'
const { SANDRAMP_URL: url, SANDRAMP_API_KEY: key, SANDRAMP_CLOCK_URL: clock, SANDRAMP_SEED: seed } = process.env
const headers = { 'x-api-key': key, 'content-type': 'application/json' }
const body = ${JSON.stringify(JSON.stringify(payoutRequest()))}
const paid = await fetch(url + '/payment/api/v1/payout', { method: 'POST', headers, body })
const users = await fetch(url + '/onboarding/api/v1/users/all', { headers })
const { now } = await (await fetch(clock)).json()
const { id } = await paid.json()
console.log(JSON.stringify({ paid: paid.status, users: users.status, now, id, seed }))
`

export const folderOf = (files: Record<string, string> = {}) =>
  makeFolder({ ...CLIENT_FETCH, 'bad-day.yaml': SCENARIO, 'pay.mjs': PAY, ...files })
