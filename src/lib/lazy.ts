export type Lazy<T> = <R>(go: (loaded: T) => R | Promise<R>) => R | Promise<R>

/** Loads a value with the first call. Calls wait while it loads; later calls run synchronously. */
export const lazy = <T>(load: () => Promise<T>): Lazy<T> => {
  let ready: T | undefined
  return (go) =>
    ready === undefined
      ? load().then((loaded) => {
          ready ??= loaded
          return go(ready)
        })
      : go(ready)
}
