import type { Flag } from './arguments.js'

/** The text of --help, made from the flags themselves. */
export const helpText = (flags: Readonly<Record<string, Flag>>): string => {
  const rows = Object.entries(flags).map(([name, { value, help, variable }]) => ({
    left: `  --${name}${value ? ` ${value}` : ''}`,
    right: `${help}${variable ? ` [${variable}]` : ''}`,
  }))
  const width = Math.max(...rows.map(({ left }) => left.length)) + 2
  return [
    'sandramp: a local sandbox of the Payments, custody wallet and onboarding service',
    '',
    'Usage: sandramp [start] [flags]',
    '',
    ...rows.map(({ left, right }) => `${left.padEnd(width)}${right}`),
    '',
    'Defaults stand in parentheses, environment variables in brackets.',
    '',
  ].join('\n')
}
