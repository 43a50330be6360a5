import { DEFAULT_WORLD } from '../../lib/secrets.js'
import type { WorldPage } from '../../persistence/port.js'
import { isVisible } from '../../runtime/tenants.js'
import type { WorldHandle } from '../../runtime/world-registry.js'
import { formatCount } from '../format.js'
import { type PageContext, worldPath } from '../page-context.js'

const MAX_WORLDS = 8

export const worldName = ({ key }: WorldHandle): string => nameOfKey(key?.last_four ?? null)

const nameOfKey = (last_four: string | null): string =>
  last_four === null ? 'default world' : `world …${last_four}`

/** The most recently used worlds. */
export const listRecentWorlds = async ({
  sandbox: { worlds },
  scope: { tenants },
}: PageContext): Promise<WorldPage> => {
  const query = { page: 0, size: MAX_WORLDS, tenants }
  // A page with an error is shown without the database, too.
  return worlds.listStored(query).catch(() => worlds.listInMemory(query))
}

/** The list of a record page, because other worlds do not have the record. Actions have no page. */
const sameSection = (here: string): string => {
  const [, section = ''] = here.split(/[/?]/, 2)
  return section === 'console' ? '/' : `/${section}`
}

/** Links to the most recently used worlds. */
export const WorldPicker = ({ ctx, recent }: { ctx: PageContext; recent: WorldPage }) => {
  const { handle, hasWorld, live, scope, currentPath } = ctx
  const shown = recent.worlds.map(({ id, last_four }) => ({ id, last_four }))
  const hasDefault = isVisible(scope, undefined)
  if (hasDefault && shown.every(({ last_four }) => last_four !== null)) {
    shown.push({ id: DEFAULT_WORLD, last_four: null })
  }
  const section = sameSection(currentPath)
  return (
    <details id="picker" class="picker">
      <summary>
        <span class="unseen">World: </span>
        {hasWorld ? worldName(handle) : 'no world'}
      </summary>
      <div class="choices">
        <ul>
          {shown.map((it) => (
            <li>
              <a
                href={worldPath(it.last_four === null ? undefined : it.id, section)}
                aria-current={it.id === live.id ? 'true' : undefined}
                title={it.id}
              >
                {nameOfKey(it.last_four)}
              </a>
            </li>
          ))}
        </ul>
        <a href={ctx.href('/worlds')}>
          {recent.total > shown.length ? `All ${formatCount(recent.total)} worlds` : 'Worlds'}…
        </a>
      </div>
    </details>
  )
}
