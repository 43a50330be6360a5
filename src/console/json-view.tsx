import type { Child } from 'hono/jsx'
import { valueAt } from '../values.js'
import { Scroll } from './parts.js'

/** What is wrong with a value, by its dotted path. */
export interface Complaint {
  readonly path: readonly string[]
  readonly text: string
}

const STEP = '  '

/** JSON with its indents and colours, and complaints where they belong. What is no JSON is shown as text. */
export const JsonView = ({
  value,
  label,
  complaints = [],
}: {
  value: unknown
  label: string
  complaints?: readonly Complaint[]
}) => (
  <Scroll label={label}>
    <pre class="json">
      <code>{typeof value === 'string' ? value : drawn(value, [], placed(complaints, value))}</code>
    </pre>
  </Scroll>
)

type Marks = ReadonlyMap<string, readonly string[]>
const keyOf = (path: readonly string[]): string => JSON.stringify(path)

/** Each complaint stands at its field or, where that is missing, in the nearest thing around it. */
const placed = (complaints: readonly Complaint[], value: unknown): Marks => {
  const marks = new Map<string, string[]>()
  for (const { path, text } of complaints) {
    let end = path.length
    while (end > 0 && valueAt(value, path.slice(0, end)) === undefined) end--
    const key = keyOf(path.slice(0, end))
    const missing = path.slice(end).join('.')
    const told = missing === '' ? text : `${missing}: ${text}`
    marks.set(key, [...(marks.get(key) ?? []), told])
  }
  return marks
}

const drawn = (value: unknown, path: readonly string[], marks: Marks): Child => {
  const wrong = marks.get(keyOf(path))
  const shown =
    typeof value === 'object' && value !== null
      ? drawnInside(value, path, marks, wrong)
      : drawnPlain(value)
  if (!wrong || isFull(value)) return shown
  return (
    <>
      <mark>{shown}</mark>
      <Wrong texts={wrong} />
    </>
  )
}

const isFull = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

const Wrong = ({ texts }: { texts: readonly string[] }) => (
  <span class="wrong"> ◀ {texts.join(' · ')}</span>
)

const drawnPlain = (value: unknown): Child => {
  const kind = value === null ? 'null' : typeof value
  return <span class={`j-${kind}`}>{JSON.stringify(value) ?? 'null'}</span>
}

const drawnInside = (
  value: object,
  path: readonly string[],
  marks: Marks,
  wrong: readonly string[] | undefined,
): Child => {
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const entries = Object.entries(value)
  if (entries.length === 0) return `${open}${close}`
  const indent = STEP.repeat(path.length + 1)
  return (
    <>
      {open}
      {wrong?.map((text) => (
        <>
          {`\n${indent}`}
          <span class="wrong">◀ {text}</span>
        </>
      ))}
      {entries.map(([name, inner], i) => (
        <>
          {`\n${indent}`}
          {Array.isArray(value) ? null : (
            <>
              <span class="j-key">{JSON.stringify(name)}</span>
              {': '}
            </>
          )}
          {drawn(inner, [...path, name], marks)}
          {i < entries.length - 1 ? ',' : ''}
        </>
      ))}
      {`\n${STEP.repeat(path.length)}${close}`}
    </>
  )
}
