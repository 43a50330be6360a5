import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { docsFolder } from '../../lib/paths.js'
import { assertKnown, type Tool, text } from './tool.js'

/** A partial copy of the package contains no documentation. */
export const readPages = () => {
  const isThere = existsSync(docsFolder)
  const files = isThere ? readdirSync(docsFolder, { recursive: true, encoding: 'utf8' }) : []
  return ['../llms.txt', ...files.sort()]
    .map((it) => it.replaceAll('\\', '/'))
    .filter(
      (it) =>
        isThere && /^\.\.|^tour\.md$|^(recipes|reference|hosting|quickstart)\/.*\.md$/.test(it),
    )
    .map((path) => {
      const name = path.replace('../', '')
      const read = () => readFileSync(join(docsFolder, path), 'utf8')
      return { name, uri: `sandramp://${name}`, mimeType: 'text/markdown', read }
    })
}

/** A longer page shows its headings. */
const MAX_CHARS = 18_000

export const createPageTool = (): Tool => {
  const pages = readPages()
  const names = pages.map(({ name }) => name)
  const properties = { page: text('one of the list'), heading: text('words of a heading') }
  return {
    name: 'readPage',
    title: 'Read the documentation',
    description: `Reads a page, or sections by heading. Pages: ${names.join(' ') || 'none'}`,
    inputSchema: { type: 'object', properties, required: ['page'] },
    hint: 'readOnlyHint',
    run: async ({ page, heading = '' }) => {
      assertKnown('page', String(page), names)
      const written = pages.find(({ name }) => name === page)?.read() ?? ''
      const words = String(heading).toLowerCase()
      const sections = written.split(/\n(?=##+ )/)
      const heads = sections.map((it) => it.split('\n', 1)[0] ?? '')
      const found = sections.filter((_, n) => heads[n]?.toLowerCase().includes(words)).join('\n')
      return found === '' || found.length > MAX_CHARS ? heads.join('\n') : found
    },
  }
}
