import type { Flag } from './arguments.js'

/** A command of the command line, for --help. */
export interface Usage {
  /** `sandramp run <scenario…> [flags] -- <command…>` */
  readonly line: string
  readonly about: string
  readonly flags: Readonly<Record<string, Flag>>
  /** Paragraphs behind the flags. */
  readonly more?: readonly string[]
}

const LEGEND = 'Defaults stand in parentheses, environment variables in brackets.'

/** The text of --help, made from the flags themselves. */
export const helpText = ({ line, about, flags, more = [] }: Usage): string => {
  const rows = Object.entries(flags).map(([name, { short, value, help, variable }]) => ({
    left: `  --${name}${short ? `, -${short}` : ''}${value ? ` ${value}` : ''}`,
    right: `${help}${variable ? ` [${variable}]` : ''}`,
  }))
  const width = Math.max(...rows.map(({ left }) => left.length)) + 2
  return [
    about,
    '',
    `Usage: ${line}`,
    '',
    ...rows.map(({ left, right }) => `${left.padEnd(width)}${right}`),
    '',
    ...more.flatMap((paragraph) => [paragraph, '']),
    ...(rows.some(({ right }) => right.includes('[')) ? [LEGEND, ''] : []),
  ].join('\n')
}
