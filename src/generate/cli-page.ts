import type { Flag } from '../cli/arguments.js'
import { usages } from '../cli/usage.js'

const BEGIN = '<!-- From here on written by npm run documents, from src/cli. -->'

/** The page of the command line with its tables of flags. */
export const withFlags = (page: string): string => {
  const own = page.includes(BEGIN) ? page.slice(0, page.indexOf(BEGIN)) : `${page.trimEnd()}\n\n`
  const chapters = Object.entries(usages).map(([command, { flags }]) =>
    [`## Flags of ${command}`, ...HEAD, ...Object.entries(flags).map(row)].join('\n').replace('\n', '\n\n'),
  )
  return `${own}${[BEGIN, ...chapters].join('\n\n')}\n`
}

const HEAD = ['| flag | variable | effect (default) |', '| --- | --- | --- |']

const row = ([name, { short, value, help, variable }]: [string, Flag]): string => {
  const flag = `--${name}${short ? `, -${short}` : ''}${value ? ` ${value}` : ''}`
  const cells = [`\`${flag}\``, variable ? `\`${variable}\`` : '', help]
  return `| ${cells.join(' | ').replaceAll(/(?<= \S*|<[^>]*|\w)\|(?=\S)/g, '\\|')} |`
}
