import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { raw } from 'hono/html'
import { referenceFolder } from '../../lib/paths.js'

/** Drawn within the page: a picture to fetch would come after the first paint, or hold it up. */
const ICON = raw(readFileSync(join(referenceFolder, 'icon.svg'), 'utf8'))

export const Brand = ({ home = '/' }: { home?: string }) => (
  <a class="brand" href={home}>
    <span class="brand-icon" aria-hidden="true">
      {ICON}
    </span>
    <span class="brand-name">Sandramp</span>
  </a>
)
