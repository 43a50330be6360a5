/** The value of each reading, by id. The kernel knows no id. */
export type ReadingValues = Readonly<Record<string, string>>

/** The readings that one command runs with. */
export interface CommandReadings<R extends ReadingValues> {
  /** Returns a reading and records that the result depends on it. */
  use<Id extends keyof R & string>(id: Id): R[Id]
  peek<Id extends keyof R & string>(id: Id): R[Id]
  record<Id extends keyof R & string>(id: Id, reading: R[Id]): void
}

const refuse = (id: string): never => {
  throw new Error(`this world has no readings, so ${id} has none`)
}

/** For commands of a world without readings, and for undo, which runs no command. */
export const NO_READINGS: CommandReadings<never> = { use: refuse, peek: refuse, record: refuse }
