import type { Child } from 'hono/jsx'
import { MAX_DEPTH } from '../../history/bodies.js'
import { escapeBidi } from '../format.js'
import { findMember, type JsonTree, type Member, parseJsonTree } from './json-tree.js'

/** An error about the value at a path. */
export interface FieldError {
  readonly path: readonly string[]
  readonly text: string
}

const STEP = '  '

/** Indents and colors JSON, with errors at their fields. Shows other text unchanged. */
export const Json = ({
  text,
  label,
  fieldErrors = [],
}: {
  text: string
  label: string
  fieldErrors?: readonly FieldError[]
}) => {
  const tree = parseJsonTree(text, MAX_DEPTH)
  return (
    <section class="json" tabindex={0} aria-label={label}>
      <pre>{tree ? drawn(tree, [], placed(fieldErrors, tree)) : escapeBidi(text)}</pre>
    </section>
  )
}

type Marks = ReadonlyMap<string, readonly string[]>
const NO_MARKS: Marks = new Map()
const formatKey = (path: readonly string[]): string => JSON.stringify(path)

/** An error about a missing field is shown at the object around it. */
const placed = (fieldErrors: readonly FieldError[], tree: JsonTree): Marks => {
  const marks = new Map<string, string[]>()
  for (const { path, text } of fieldErrors) {
    const end = stepsInto(tree, path)
    const key = formatKey(path.slice(0, end))
    marks.set(key, [...(marks.get(key) ?? []), text])
  }
  return marks
}

/** Returns how many steps of the path exist. */
const stepsInto = (tree: JsonTree, path: readonly string[]): number => {
  let at = tree
  for (const [i, name] of path.entries()) {
    const member = findMember(at, name)
    if (!member) return i
    at = member.value
  }
  return path.length
}

const drawn = (tree: JsonTree, path: readonly string[], marks: Marks): Child => {
  const wrong = marks.get(formatKey(path))
  if ('members' in tree && tree.members.length > 0) return drawnInside(tree, path, marks, wrong)
  const shown = drawnPlain(tree)
  if (!wrong) return shown
  return (
    <>
      <mark>{shown}</mark>
      <Wrong texts={wrong} />
    </>
  )
}

const Wrong = ({ texts }: { texts: readonly string[] }) => (
  <span class="error"> ◀ {escapeBidi(texts.join(' · '))}</span>
)

const drawnPlain = (tree: JsonTree): Child => {
  if ('members' in tree) return tree.kind === 'array' ? '[]' : '{}'
  return escapeBidi(tree.written)
}

const drawnInside = (
  tree: Extract<JsonTree, { members: unknown }>,
  path: readonly string[],
  marks: Marks,
  wrong: readonly string[] | undefined,
): Child => {
  const { kind, members } = tree
  const [open, close] = kind === 'array' ? '[]' : '{}'
  const indent = STEP.repeat(path.length + 1)
  return (
    <>
      {open}
      {wrong?.map((text) => (
        <>
          {`\n${indent}`}
          <span class="error">◀ {escapeBidi(text)}</span>
        </>
      ))}
      {members.map((member, i) => (
        <>
          {`\n${indent}`}
          {member.key === undefined ? null : (
            <>
              <span class="id">{escapeBidi(member.key)}</span>
              {': '}
            </>
          )}
          {drawn(member.value, [...path, member.name], counts(tree, member) ? marks : NO_MARKS)}
          {i < members.length - 1 ? ',' : ''}
        </>
      ))}
      {`\n${STEP.repeat(path.length)}${close}`}
    </>
  )
}

/** The last field of a name counts, so errors are about that one. */
const counts = (tree: JsonTree, member: Member): boolean =>
  member.key === undefined || findMember(tree, member.name) === member
