import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { docsFolder } from '../../lib/paths.js'
import { assertKnown, type Tool, text } from './tool.js'

/** The image contains no documentation. */
export const readPages = () => {
  const isThere = existsSync(docsFolder)
  const files = isThere ? readdirSync(docsFolder, { recursive: true, encoding: 'utf8' }) : []
  return ['../llms.txt', ...files.sort()]
    .map((it) => it.replaceAll('\\', '/'))
    .filter((it) => isThere && /^\.\.|^tour\.md$|^(recipes|reference|quickstart)\/.*\.md$/.test(it))
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
      if (heading === '' && written.length <= MAX_CHARS) return written
      const sections = written.split(/\n(?=##+ )/).map((it) => [it.split('\n', 1)[0], it] as const)
      const isFound = (head = '') => head.toLowerCase().includes(String(heading).toLowerCase())
      const found = heading === '' ? [] : sections.filter(([head]) => isFound(head))
      return (found.length > 0 ? found.map(([, it]) => it) : sections.map(([it]) => it)).join('\n')
    },
  }
}
