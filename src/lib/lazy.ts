/** Loads a value with the first call. Calls wait while it loads; later calls run synchronously. */
export const lazy = <T>(load: () => Promise<T>) => {
  let ready: T | undefined
  return <R>(go: (loaded: T) => R | Promise<R>): R | Promise<R> =>
    ready === undefined
      ? load().then((loaded) => {
          ready ??= loaded
          return go(ready)
        })
      : go(ready)
}
