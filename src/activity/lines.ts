import { fullName } from '../domain/users.js'
import type { Entry } from '../kernel/entry.js'
import { isVisible, type Scope } from '../worlds/tenants.js'
import { accumulate } from './accumulate.js'
import { rawText } from './client-id.js'
import { entrySentence } from './entry-sentences.js'
import { findLogBeginning, type Group, groupRequests, KINDS, newestGroups } from './groups.js'
import { MAX_ENTRIES } from './histories.js'
import { oncePerState } from './once-per-state.js'
import { toPlainText } from './record-sentences.js'
import { createMatcher } from './search.js'
import type { View } from './view.js'

/** Requests that belong together, or an act between them. */
export type Line = Group<WorldView> | Entry

/** A world, and its address in the console. */
export interface WorldView extends View {
  readonly worldId: string | undefined
}

export const isAct = (line: Line): line is Entry => 'seq' in line

const MAX_PER_WORLD = 50

const groupsIn = ({ sandbox, live }: Pick<WorldView, 'sandbox' | 'live'>, most?: number) => {
  const view = { sandbox, live, tables: live.world.tables, worldId: live.key && live.id }
  return newestGroups<WorldView>(view, most)
}

export const withKinds = (groups: readonly Group<WorldView>[], acts: readonly Entry[] = []) => {
  const kinds = Object.entries(KINDS).map(([name, fits]) => [name, groups.filter(fits)] as const)
  return { groups, acts, byKind: new Map<string, readonly Line[]>([...kinds, ['yours', acts]]) }
}

/** The newest requests of a world, as many as the log keeps by default, and the acts since its log begins. */
export const readLines = oncePerState((view: WorldView) =>
  withKinds(
    groupsIn(view),
    readActs(view)
      .filter(({ seq }) => seq >= view.live.journal.oldest)
      .reverse(),
  ),
)

/** Of all worlds in memory that a caller sees, newest first by the machine's time. */
export function* groupsOfAll({
  sandbox,
  scope,
}: Pick<View, 'sandbox'> & { readonly scope: Scope }): Generator<void, Group<WorldView>[]> {
  const groups: Group<WorldView>[] = []
  for (const live of sandbox.worlds.list()) {
    if (!isVisible(scope, live.tenant)) continue
    groups.push(...groupsIn({ sandbox, live }, MAX_PER_WORLD))
    yield
  }
  return groups.sort(({ requests: [a] }, { requests: [b] }) => b.started_at - a.started_at)
}

const isOwnAct = ({ cause }: Entry): boolean => cause.kind === 'control'

/** Oldest first. */
const readActs = accumulate(
  (view) => {
    const begin = findLogBeginning(view) ?? 0
    return view.live.journal.all().filter((it) => it.seq > begin && isOwnAct(it))
  },
  (acts, entry) => void (isOwnAct(entry) && acts.push(entry)),
  ({ length }) => length > MAX_ENTRIES,
)

export function* mergeLines(
  { live }: View,
  groups: readonly Group<WorldView>[],
  acts: readonly Entry[],
): Generator<Line> {
  let next = 0
  for (const group of groups) {
    const [{ from, to, started_at }] = group.requests
    // A request that caused no entry is compared by the machine's time.
    const isNewer = ({ seq }: Entry) =>
      to < from ? (live.journal.machineTimeOf(seq) ?? 0) > started_at : seq > to
    for (let act = acts[next]; act && isNewer(act); act = acts[++next]) yield act
    yield group
  }
  yield* acts.slice(next)
}

/** Searches in bodies as they are, because formatting each line is slow. */
export const createLineFilter = ({ tables }: View, text: string | undefined) => {
  if (text === undefined) return undefined
  const fits = createMatcher(text)
  return (line: Line): boolean =>
    isAct(line)
      ? fits([toPlainText(entrySentence(tables, line))])
      : line.requests.some((it) => fits(requestTexts(line.view, it))) ||
        fits(line.payouts.map(({ reason }) => reason))
}

const requestTexts = ({ tables }: View, request: Group['requests'][0]) => {
  const { id, method, url, operation, fault, body, answer, status, user_id } = request
  const user = tables.users.get(user_id ?? '')
  const code = String(status)
  const words = [id, method, url, operation?.id, fault, code, `${code.charAt(0)}xx`]
  return [...words, user && fullName(user), rawText(body), rawText(answer)]
}

/** The group of a request, which the list may not show. */
export const findGroup = (view: View, groups: readonly Group[], id: string): Group | undefined => {
  const listed = groups.find(({ requests }) => requests.some((it) => it.id === id))
  const { requests } = view.live
  const found = listed ? undefined : requests.findAny(id)
  const isEarlier = !requests.find(id)
  return listed ?? (found && groupRequests(view, [found], isEarlier)[0])
}

/** The opened line of the world, or its newest that failed or was lost, else its newest. */
export const findOpening = (
  { live }: View,
  lines: readonly Line[],
  opened: string | undefined,
): string | undefined => {
  const own = lines.filter((it): it is Group<WorldView> => !isAct(it) && it.view.live === live)
  if (own.some(({ requests }) => requests.some(({ id }) => id === opened))) return opened
  return (own.find(endedBadly) ?? own[0])?.requests[0].id
}

/** A retry may have repaired an earlier failure. */
const endedBadly = (group: Group): boolean =>
  KINDS.failed({ ...group, requests: [group.requests[0]] })
