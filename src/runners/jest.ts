import type { SandboxWorld } from '../index.js'
import { runInWorld } from './test-world.js'

export { configure } from './test-world.js'

type Row = readonly unknown[]
type Fixtures = { readonly world: SandboxWorld }
type Body<Cells extends Row> = (fixtures: Fixtures, ...cells: Cells) => unknown
type Declare<Cells extends Row> = (name: string, body: Body<Cells>, timeout?: number) => void
type JestTest = (name: string, body: () => Promise<void>, timeout?: number) => void

/** Jest's own functions, which it makes global. */
interface JestGlobals {
  readonly test: JestTest & { each(...table: Row): JestTest }
  readonly expect: { getState(): { readonly currentTestName?: string } }
}

const globals = globalThis as unknown as JestGlobals

/**
 * The body of a Jest test that gets a world of its own: `test('…', withWorld(async (world) => { … }))`. With `test.each`,
 * the cells of the row follow the world.
 */
export const withWorld =
  <Cells extends Row = []>(run: (world: SandboxWorld, ...cells: Cells) => unknown) =>
  async (...cells: Cells): Promise<void> => {
    const name = globals.expect.getState().currentTestName ?? 'test'
    await runInWorld(name, (world) => run(world, ...cells))
  }

const declareWith =
  <Cells extends Row>(find: () => JestTest): Declare<Cells> =>
  (name, body, timeout) =>
    find()(name, withWorld((world, ...cells: Cells) => body({ world }, ...cells)) as never, timeout)

interface TestWithWorld extends Declare<[]> {
  /** As in Jest. The cells of a row follow the fixtures: `({ world }, a, b) => …`. */
  each<const Cells>(rows: readonly Cells[]): Declare<Cells extends Row ? [...Cells] : [Cells]>
}

/** `test` of Jest with a fixture: `world`, named after the test. */
export const test: TestWithWorld = Object.assign(
  declareWith<[]>(() => globals.test),
  { each: (...table: Row) => declareWith<never>(() => globals.test.each(...table)) },
)
