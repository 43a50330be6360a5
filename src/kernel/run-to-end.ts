export const runToEnd = <V>(work: Generator<void, V>): V => {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
