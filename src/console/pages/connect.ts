import { RECORD_TEXTS } from '../../activity/record-sentences.js'
import { isExpired, KEY_TRANSITIONS } from '../../domain/api-keys.js'
import type { ApiKey } from '../../domain/schema.js'
import { type Instant, toIso } from '../../kernel/time.js'
import { hashSecret } from '../../lib/secrets.js'
import { drawFolded, type Field } from '../components/form.js'
import { type Html, html } from '../components/html.js'
import { drawCommand, drawFacts, drawHead, drawTable } from '../components/parts.js'
import { drawStatus, drawTime } from '../components/text.js'
import { payoutExample } from '../curl.js'
import type { DrawPage, PageContext } from '../page-context.js'
import { textColumn } from './list-page.js'

/** The keys of the shipped fixtures, by hash. They are public, so the page shows them in full. */
const PUBLIC_KEYS: ReadonlyMap<string, string> = new Map(
  [
    'SandrampFullAccessKey00000000001',
    'SandrampReadOnlyKey0000000000001',
    'SandrampExpiredKey00000000000001',
    'SandrampSuspendedKey000000000001',
    'SandrampDeactivatedKey0000000001',
  ].map((it) => [hashSecret(it), it]),
)

export const connectPage: DrawPage = (ctx) => {
  const { now } = ctx.world
  const keys = drawTable(
    'API keys',
    ctx.tables.api_keys.list('all', ''),
    [
      { name: 'Name', cell: ({ name }) => html`<b><bdi>${name}</bdi></b>` },
      { name: 'Status', cell: (it) => drawStatus(statusAt(it, now)) },
      { name: 'Key', kind: 'reason', cell: drawSecret },
      textColumn('May', (it) => (it.permissions === 'full' ? 'read and write' : 'read')),
      textColumn('Expires', ({ expires_at }) => (expires_at ? drawTime(ctx, expires_at) : 'never')),
      { name: 'Change', cell: (it) => drawChange(ctx, it) },
    ],
    'list',
  )
  return {
    title: 'Connect',
    body: html`
      ${drawHead(ctx, { title: 'Connect', sentence: RECORD_TEXTS.keys })}
      ${drawFacts([
        ['Base URL', html`<code data-copy="${ctx.origin}">${ctx.origin}</code>`],
        ['Reference', REFERENCES.map(([path, text]) => html`<a href="${path}">${text}</a><br />`)],
      ])}
      <section class="section">
        <h2>A request that works</h2>
        ${drawCommand(payoutExample(ctx))}
      </section>
      <section class="section">
        <header>
          <h2>API keys</h2>
          ${drawFolded(ctx, {
            operation: 'createApiKey',
            summary: 'Create a key',
            fields: ['name', 'permissions', expiryField(now, ['', 'never'])],
          })}
        </header>
        ${keys}
      </section>`,
  }
}

const REFERENCES = [
  ['/reference', 'The service and the control API, to read and to try'],
  ['/openapi.json', 'OpenAPI document of the service'],
  ['/_sandbox/openapi.json', 'OpenAPI document of the control API'],
] as const

const statusAt = (key: ApiKey, now: Instant): string =>
  key.status === 'active' && isExpired(key, now) ? 'expired' : key.status

const drawSecret = ({ hash, last_four }: ApiKey): Html => {
  const secret = PUBLIC_KEYS.get(hash)
  if (!secret) return html`<code>…${last_four}</code>`
  return html`<code data-copy="${secret}">${secret}</code>`
}

const DAY_MS = 86_400_000

const expiryField = (now: Instant, ...first: readonly (readonly [string, string])[]): Field => ({
  name: 'expires_at',
  label: 'Expires',
  options: [...first, [toIso(now + DAY_MS), 'in a day'], [toIso(now + 30 * DAY_MS), 'in 30 days']],
})

const drawChange = (ctx: PageContext, { id, status }: ApiKey): Html => {
  const moves = KEY_TRANSITIONS[status]
  if (moves.length === 0) return html`<span class="note">final</span>`
  const { now } = ctx.world
  const kept = ['', 'as it is'] as const
  return drawFolded(ctx, {
    operation: 'setApiKey',
    given: { id },
    summary: 'Change',
    fields: [
      { name: 'status', options: [kept, ...moves] },
      expiryField(now, kept, ['null', 'never'], [toIso(now), 'now']),
    ],
    note: RECORD_TEXTS.deactivated,
  })
}
