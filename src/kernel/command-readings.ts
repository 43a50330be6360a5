/** The value of each reading by id. The kernel knows no ids. */
export type ReadingValues = Readonly<Record<string, string>>

export interface CommandReadings<R extends ReadingValues> {
  /** Records that the result depends on this reading. */
  use<Id extends keyof R & string>(id: Id): R[Id]
  peek<Id extends keyof R & string>(id: Id): R[Id]
  record<Id extends keyof R & string>(id: Id, reading: R[Id]): void
}

const refuse = (id: string): never => {
  throw new Error(`this world has no readings, so ${id} has none`)
}

/** For worlds without readings, and for undo, which runs no command. */
export const NO_READINGS: CommandReadings<never> = { use: refuse, peek: refuse, record: refuse }
