import type { WorldHandle } from '../../runtime/world-registry.js'
import { formatCount } from '../format.js'
import { type PageContext, worldPath } from '../page-context.js'

const MAX_WORLDS = 8

export const worldName = ({ key }: WorldHandle): string =>
  key ? `world …${key.last_four}` : 'default world'

/** The list of a record page, because other worlds do not have the record. Actions have no page. */
const sameSection = (here: string): string => {
  const [, section = ''] = here.split(/[/?]/, 2)
  return section === 'console' ? '/' : `/${section}`
}

/** Links to the most recently used worlds. */
export const WorldPicker = ({ ctx }: { ctx: PageContext }) => {
  const { handle, currentPath, sandbox } = ctx
  const { worlds } = sandbox
  const shown = worlds.list().slice(0, MAX_WORLDS)
  if (!shown.includes(worlds.main)) shown.push(worlds.main)
  const section = sameSection(currentPath)
  return (
    <details id="picker" class="picker">
      <summary>
        <span class="unseen">World: </span>
        {worldName(handle)}
      </summary>
      <div class="choices">
        <ul>
          {shown.map((it) => (
            <li>
              <a
                href={worldPath(it.key && it.live.id, section)}
                aria-current={it === handle ? 'true' : undefined}
                title={it.live.id}
              >
                {worldName(it)}
              </a>
            </li>
          ))}
        </ul>
        <a href={ctx.href('/worlds')}>
          {worlds.size > shown.length ? `All ${formatCount(worlds.size)} worlds` : 'Worlds'}…
        </a>
      </div>
    </details>
  )
}
