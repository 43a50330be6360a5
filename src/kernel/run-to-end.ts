export const runToEnd = <V>(work: Generator<void, V>): V => {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

/** A pause costs as much as a visit, so some visits share one. */
const VISITS = 32

export function* visitInSteps<T>(values: Iterable<T>, visit: (value: T) => void): Generator<void> {
  let count = 0
  for (const value of values) {
    visit(value)
    if (++count % VISITS === 0) yield
  }
}
