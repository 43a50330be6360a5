/** Runs something for every item, so many at once, in order; no more are begun once it is stopped. */
export const mapParallel = async <T, R>(
  items: readonly T[],
  jobs: number,
  run: (item: T) => Promise<R>,
  isStopped: () => boolean,
): Promise<(R | undefined)[]> => {
  const results: (R | undefined)[] = items.map(() => undefined)
  const rest = items.entries()
  const work = async () => {
    for (const [place, item] of rest) {
      if (isStopped()) return
      results[place] = await run(item)
    }
  }
  await Promise.all(Array.from({ length: Math.min(jobs, items.length) }, work))
  return results
}
