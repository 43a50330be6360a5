const STORE = 'src/worlds/postgres/store.ts'
const COMMIT = 'src/worlds/commit.ts'
const CATCH_UP = 'src/worlds/catch-up.ts'

/**
 * Mistakes in the protocol, as changes of the source. The torture finds them, by one fault or by all; those too rare for
 * it have a test of their own.
 */
export const MUTANTS = [
  {
    name: 'no comparison of tags',
    file: 'src/worlds/postgres/statements.ts',
    from: 'WHERE c.tag IS NOT DISTINCT FROM g.previous',
    to: 'WHERE true',
  },
  {
    name: 'no catching up before reads',
    file: COMMIT,
    from: 'if (!this.log.isShared && copy.standing',
    to: 'if (copy.standing',
  },
  {
    name: 'lost answer = not done',
    fault: 'cut answers',
    file: STORE,
    from: 'const earlier = isRepeated ?',
    to: 'const earlier = isRepeated && rows.length === 0 ?',
  },
  {
    name: 'lost answer = done',
    fault: 'cut requests',
    file: STORE,
    from: 'await this.#findCommits(worlds, tags, deadline)',
    to: 'rows.map(({ tag }) => ({ n: 0, tag }))',
  },
  {
    name: 'unknown = not made',
    fault: 'answers lost for long',
    file: STORE,
    from: "mayBeDone ? 'unknown' : 'failed'",
    to: "'failed'",
  },
  {
    name: '`behind` rolls nothing back',
    file: COMMIT,
    from: 'const replaced = undoSteps(',
    to: "const replaced = why === 'behind' ? new Set<StoredCopy>() : undoSteps(",
  },
  {
    name: "a first commit's world is not asked again",
    file: CATCH_UP,
    from: 'if (!copy.head) await stored.settled(copy.id)',
    to: '',
    test: 'test/persistence/shared-log.test.ts',
  },
  {
    name: 'tag of the known row not compared',
    file: 'src/worlds/postgres/world-reader.ts',
    from: '!ends && n === last + 1 + i',
    to: '!ends',
    test: 'test/persistence/postgres.test.ts',
  },
  {
    name: 'own clocks',
    file: STORE,
    from: 'return this.#database.clockOffset',
    to: 'return 0',
  },
]
