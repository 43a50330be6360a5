import type { OpenWorld } from '../worlds.js'
import { addressIn } from './addresses.js'
import type { View } from './view.js'

const MOST_WORLDS = 8

/** What a world is called: its key shows four characters. */
export const worldName = ({ key }: OpenWorld): string =>
  key ? `world …${key.last_four}` : 'default world'

/** A page of a record leads to its list: no other world has that record. Actions have no page of their own. */
const sameSection = (here: string): string => {
  const [, section = ''] = here.split(/[/?]/, 2)
  return section === 'console' ? '/' : `/${section}`
}

/** The world that the page shows, and the ways to others, those used last first. */
export const WorldPicker = ({ view }: { view: View }) => {
  const { opened, here, sandbox } = view
  const { worlds } = sandbox
  const shown = worlds.list().slice(0, MOST_WORLDS)
  if (!shown.includes(worlds.main)) shown.push(worlds.main)
  const section = sameSection(here)
  return (
    <details id="picker" class="picker">
      <summary>
        <span class="unseen">World: </span>
        {worldName(opened)}
      </summary>
      <div class="choices">
        <ul>
          {shown.map((it) => (
            <li>
              <a
                href={addressIn(it.key && it.line.id, section)}
                aria-current={it === opened ? 'true' : undefined}
                title={it.line.id}
              >
                {worldName(it)}
              </a>
            </li>
          ))}
        </ul>
        <a href={view.to('/worlds')}>
          {worlds.size > shown.length ? `All ${worlds.size.toLocaleString('en')} worlds` : 'Worlds'}
          …
        </a>
      </div>
    </details>
  )
}
