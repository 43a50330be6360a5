import type { ArmedCall, DurationText, NextCall } from '../kit/next.js'
import { type Arguments, type Flag, findText, invalidFlag } from '../lib/arguments.js'
import { lowerFirst } from '../runtime/option-flags.js'
import { type Argument, type FaultWord, faultWords } from '../scenarios/faults/words.js'

type Arm = (next: NextCall, value: string, args: Arguments) => Promise<ArmedCall>

interface FaultFlag extends Flag {
  /** A second word may follow the flag. */
  readonly hasWord?: true
  readonly arm: Arm
}

const flagOf = (name: string): string => name.replace(/[A-Z]/g, (it) => `-${it.toLowerCase()}`)

/** The control API refuses other texts, and names the field. */
export const toNumber = (text: string) => (/^\d+$/.test(text) ? Number(text) : text) as number

const readArgument = ({ type, form }: Argument, flag: string, args: Arguments, text: string) => {
  if (form !== '<json>') return type === 'number' || type === 'Time' ? toNumber(text) : text
  try {
    return JSON.parse(text)
  } catch {
    throw invalidFlag(args, flag, text, 'a JSON object')
  }
}

/** Optional arguments with a text have a flag of their own. */
const detailsOf = ({ optional }: FaultWord): readonly Argument[] =>
  optional.filter(({ form }) => form !== '<json>')

const ofWord = (word: FaultWord): FaultFlag => {
  const { name, about, required } = word
  const flag = flagOf(name)
  const form = required.map((it) => it.form).join('=')
  const arm: Arm = async (next, text, args) => {
    const texts = required.length > 1 ? text.split('=', required.length) : [text]
    if (required.length > texts.length) throw invalidFlag(args, flag, text, form)
    const values = required.map((it, i) => readArgument(it, flag, args, texts[i] ?? ''))
    const details = detailsOf(word).map((it) => [it.name, findText(args, flagOf(it.name))])
    const call = next[name as keyof NextCall] as (...given: unknown[]) => Promise<ArmedCall>
    return call(...values, Object.fromEntries(details))
  }
  return { help: lowerFirst(about).replace(/[.]$/, ''), ...(form && { value: form }), arm }
}

/** The fate of the new record. */
const OUTCOMES: Readonly<Record<string, FaultFlag>> = {
  fail: {
    help: 'the new record fails at once; any text may follow as the reason',
    hasWord: true,
    arm: (it, why) => it.fail(why || undefined),
  },
  'stay-pending': { help: 'the new record keeps its first status', arm: (it) => it.stayPending() },
  return: {
    help: 'the bank returns the payment; a duration may follow',
    hasWord: true,
    arm: (it, after) => it.return({ after: (after || undefined) as DurationText | undefined }),
  },
}

export const faultFlags: Readonly<Record<string, FaultFlag>> = {
  ...OUTCOMES,
  ...Object.fromEntries(faultWords.map((word) => [flagOf(word.name), ofWord(word)])),
}

/** Flags for the optional arguments of faults, each with the flag of its fault and its field. */
export const detailFlags = faultWords.flatMap((word) =>
  detailsOf(word).map(({ name, form, field }) => {
    const of = flagOf(word.name)
    const help = `for --${of}: ${field?.replaceAll('_', '-')}`
    return {
      name: flagOf(name),
      of,
      path: `then.${word.field}.${field}`,
      flag: { value: form, help },
    }
  }),
)
