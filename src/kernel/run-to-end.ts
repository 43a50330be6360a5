/** Does work that pauses often without a pause. */
export const runToEnd = <V>(work: Generator<void, V>): V => {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
