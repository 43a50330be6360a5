import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { raw } from 'hono/html'
import { referenceFolder } from '../../lib/paths.js'

/** Inlined: a separate file would appear after the first paint or delay it. */
const ICON = raw(readFileSync(join(referenceFolder, 'icon.svg'), 'utf8'))

export const Brand = ({ home = '/' }: { home?: string }) => (
  <a class="brand" href={home}>
    <span class="brand-icon" aria-hidden="true">
      {ICON}
    </span>
    <span class="brand-name">Sandramp</span>
  </a>
)
