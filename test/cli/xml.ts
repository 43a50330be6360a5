export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly Element[]
  readonly text: string
}

const TOKEN = /<\?xml [^?]*\?>|<\/([\w-]+)>|<([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>|([^<]+)/y
const ENTITY = /&(?:(amp|lt|gt|quot)|#(\d+));/g
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** Parses XML. Throws on anything that is not well-formed. */
export const parseXml = (xml: string): Element => {
  const top: Open = { name: '', attributes: {}, children: [], text: '' }
  const open: Open[] = [top]
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < xml.length) {
    const at = TOKEN.lastIndex
    const token = TOKEN.exec(xml)
    const parent = open.at(-1)
    if (!token || !parent) throw new Error(`no XML: ${xml.slice(at, at + 60)}`)
    const [, end, start, attributes = '', closed, text] = token
    if (text !== undefined) parent.text += decoded(text)
    if (end !== undefined && open.pop()?.name !== end) throw new Error(`</${end}> closes nothing`)
    if (start === undefined) continue
    const element = { name: start, attributes: attributesOf(attributes), children: [], text: '' }
    parent.children.push(element)
    if (!closed) open.push(element)
  }
  const [root, ...others] = top.children
  if (!root || others.length > 0 || open.length > 1) throw new Error('no single root element')
  return root
}

interface Open {
  name: string
  attributes: Record<string, string>
  children: Open[]
  text: string
}

const attributesOf = (text: string): Record<string, string> => {
  const found = [...text.matchAll(/ ([\w-]+)="([^"]*)"/g)]
  const names = new Set(found.map(([, name]) => name))
  if (names.size < found.length) throw new Error(`an attribute is there twice:${text}`)
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name, decoded(value)]))
}

const decoded = (text: string): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them
  if (/&(?!(amp|lt|gt|quot|#\d+);)|[\0-\x08\x0b\x0c\x0e-\x1f]/.test(text)) {
    throw new Error(`no text of XML: ${text}`)
  }
  return text.replace(ENTITY, (_, name, code) => NAMED[name] ?? String.fromCodePoint(Number(code)))
}
