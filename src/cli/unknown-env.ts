import type { Environment, Flag } from './arguments.js'

/** What a run tells its command, which may start a sandbox of its own. */
const OF_A_RUN = 'SANDRAMP_READING'

/** Variables that the names of flags suggest, though these have others: nobody would hear of the slip. */
export const unknownEnvVariables = (
  table: Readonly<Record<string, Flag>>,
  env: Environment,
): string[] => {
  const known = Object.values(table).map(({ variable }) => variable)
  return Object.entries(table).flatMap(([flag, { variable }]) => {
    const suggested = `SANDRAMP_${flag.toUpperCase().replaceAll('-', '_')}`
    const isStray = variable !== undefined && !known.includes(suggested) && suggested !== OF_A_RUN
    return isStray && env[suggested]
      ? [`${suggested} is ignored. The variable of --${flag} is ${variable}.`]
      : []
  })
}
