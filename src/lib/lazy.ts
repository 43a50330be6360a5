/**
 * Loads something with the first call that needs it: at a start it would take its time. Calls that come
 * meanwhile wait; all later ones go on at once.
 */
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
