/** The one reader of machine time. Milliseconds since 1970-01-01T00:00:00Z. */
export type MachineClock = () => number

export const machineClock: MachineClock = () => Date.now()
