import { fileURLToPath } from 'node:url'
import { isBuilt } from './is-built.js'

if (!isBuilt(fileURLToPath(new URL('..', import.meta.url)))) await import('./build.js')
