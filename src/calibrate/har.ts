import { errorClass } from '../lib/app-error.js'
import { isObject } from './exchange.js'

/** A file that is no HAR, or has nothing of the service. */
export const HarError = errorClass('HarError', 'har')
export type HarError = InstanceType<typeof HarError>

export interface HarFile {
  readonly name: string
  readonly entries: readonly unknown[]
  /** A recorder says that nothing is missing. */
  readonly isComplete: boolean
}

const FORM = 'a HAR file: JSON with log.entries'

/** Parses a HAR file. A recorder that was killed leaves one entry a line and no end. */
export const parseHar = (text: string, name: string): HarFile => {
  const har = parseWhole(text) ?? parseLines(text)
  if (har === undefined) throw new HarError({ problem: `${name} is not JSON`, expected: FORM })
  const log = isObject(har) && isObject(har.log) ? har.log : {}
  const { entries, _sandramp: recorder } = log
  if (!Array.isArray(entries))
    throw new HarError({ problem: `${name} has no log.entries`, expected: FORM })
  return { name, entries, isComplete: isObject(recorder) && recorder.complete === true }
}

const parseWhole = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const parseLines = (text: string): unknown => {
  const [first = '', ...lines] = text.split('\n')
  if (!/^\{"log":\{.*"entries":\[$/.test(first)) return undefined
  const entries = lines.flatMap((line) => parseWhole(line.replace(/,$/, '')) ?? [])
  return { log: { entries } }
}
