import { type Document, isNode, visit, type YAMLError } from 'yaml'
import { TOO_DEEP } from './nesting.js'

/** What keeps a document from being used: why, and where, when one place is to blame. */
export interface Broken {
  readonly why: string
  readonly offset: number | undefined
}

/** The first thing that the parser complains of, in words for whoever wrote the file. */
export const firstBroken = (document: Document): Broken | undefined => {
  // A tag that nobody knows is only a warning to the parser, which takes what stands behind it as text.
  const [error] = [...document.errors, ...document.warnings.filter(isStrangeTag)]
  return error && { why: whyBroken(error, document), offset: error.pos[0] }
}

const isStrangeTag = ({ code }: YAMLError): boolean => code === 'TAG_RESOLVE_FAILED'

const whyBroken = (error: YAMLError, document: Document): string => {
  const { code, message, pos } = error
  if (code === 'MULTIPLE_DOCS') return 'a second document begins; accepted: one to a file'
  if (code === 'DUPLICATE_KEY')
    return `${keyAt(pos[0], document)}: it comes once more; accepted: once`
  if (code === 'TAB_AS_INDENT') return 'a tab came as indentation; accepted: spaces'
  if (code === 'TAG_RESOLVE_FAILED')
    return `${strangeTag(message)} came; accepted: no tag of your own`
  return message.includes('call stack') ? TOO_DEEP : message
}

/** The parser names it behind a colon. */
const strangeTag = (message: string): string => `the tag ${message.slice(message.indexOf('!'))}`

const keyAt = (offset: number, document: Document): string => {
  let name = ''
  visit(document, {
    Pair: (_, { key }) => {
      if (!isNode(key) || key.range?.[0] !== offset) return undefined
      name = String(key)
      return visit.BREAK
    },
  })
  return name
}

/** Why a document that can be parsed is no tree of plain data. */
export const whyNoTree = (document: Document, error: unknown): Broken => {
  if (error instanceof RangeError) return { why: TOO_DEEP, offset: undefined }
  const { message } = error as Error
  if (message.startsWith('Excessive alias')) return { why: TOO_MUCH, offset: undefined }
  return strayAlias(document) ?? { why: message, offset: undefined }
}

const TOO_MUCH =
  'its aliases stand for too much; accepted: 100 aliases of an anchor, those within others multiplied'

/** The first alias that stands for nothing, or for something that it is a part of. */
const strayAlias = (document: Document): Broken | undefined => {
  let stray: Broken | undefined
  visit(document, {
    Alias: (_, alias, around) => {
      const meant = alias.resolve(document)
      if (meant && !around.includes(meant)) return undefined
      const why = meant
        ? `the alias *${alias.source} leads back to itself`
        : `no anchor &${alias.source} stands before the alias *${alias.source}`
      stray = { why, offset: alias.range?.[0] }
      return visit.BREAK
    },
  })
  return stray
}
