import type { SandboxWorld } from '../index.js'
import { runInWorld } from './test-world.js'

export { configure } from './test-world.js'

type TestBody = (fixtures: { readonly world: SandboxWorld }) => unknown

/** Jest's own functions, which it makes global. */
interface JestGlobals {
  readonly test: (name: string, body: () => Promise<void>, timeout?: number) => void
  readonly expect: { getState(): { readonly currentTestName?: string } }
}

const globals = globalThis as unknown as JestGlobals

/** The body of a Jest test that gets a world of its own: `test('…', withWorld(async (world) => { … }))`. */
export const withWorld =
  (run: (world: SandboxWorld) => unknown): (() => Promise<void>) =>
  async () => {
    await runInWorld(globals.expect.getState().currentTestName ?? 'test', run)
  }

/** `test` of Jest with a fixture: `world`, named after the test. */
export const test = (name: string, body: TestBody, timeout?: number): void =>
  globals.test(
    name,
    withWorld((world) => body({ world })),
    timeout,
  )
