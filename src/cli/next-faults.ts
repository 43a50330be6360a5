import { type Arguments, type Flag, findText, invalidFlag } from '../lib/arguments.js'
import { toSnakeCase } from '../lib/text.js'
import { lowerFirst } from '../runtime/option-flags.js'
import { type Argument, type FaultWord, faultWords } from '../scenarios/faults/words.js'

interface FaultFlag extends Flag {
  readonly fault: FaultWord
  /** A second word that may follow the flag. */
  readonly lead: Argument | undefined
}

const flagOf = (name: string): string => toSnakeCase(name, '-')

/** The control API refuses other texts, and names the field. */
export const toNumber = (text: string) => (/^\d+$/.test(text) ? Number(text) : text)

const readArgument = ({ type, form }: Argument, flag: string, args: Arguments, text: string) => {
  if (form !== '<json>') return type === 'number' || type === 'Time' ? toNumber(text) : text
  try {
    return JSON.parse(text)
  } catch {
    throw invalidFlag(args, flag, text, 'a JSON object')
  }
}

const findLead = ({ isComplete, positional, options }: FaultWord): Argument | undefined =>
  isComplete ? [...positional, ...options][0] : undefined

/** Optional arguments with a text have a flag of their own. */
const detailsOf = (fault: FaultWord): readonly Argument[] =>
  fault.options.filter((it) => it.form !== '<json>' && it !== findLead(fault))

const formOf = ({ isComplete, positional }: FaultWord): string =>
  isComplete ? '' : positional.map((it) => it.form).join('=')

const toFlag = (fault: FaultWord): FaultFlag => {
  const lead = findLead(fault)
  const form = formOf(fault)
  const follows = lead && `; ${lead.form} may follow`
  const help = `${lowerFirst(fault.about).replace(/[.]$/, '')}${follows ?? ''}`
  return { help, ...(form && { value: form }), fault, lead }
}

export const faultFlags: Readonly<Record<string, FaultFlag>> = Object.fromEntries(
  faultWords.map((fault) => [flagOf(fault.name), toFlag(fault)]),
)

/** The step of a flag, whose text is its value or the word that follows. */
export const readStep = ({ fault, lead }: FaultFlag, text: string, args: Arguments): object => {
  const { name, word, positional } = fault
  const flag = flagOf(name)
  const details = detailsOf(fault).map((it) => [it.field, findText(args, flagOf(it.name))])
  if (fault.isComplete) {
    const given = [...(lead ? [[lead.field, text || undefined]] : []), ...details]
    const isBare = given.every(([, value]) => value === undefined)
    return { [word]: isBare ? true : Object.fromEntries(given) }
  }
  const texts = positional.length > 1 ? text.split('=', positional.length) : [text]
  if (positional.length > texts.length) throw invalidFlag(args, flag, text, formOf(fault))
  const values = positional.map((it, i) => readArgument(it, flag, args, texts[i] ?? ''))
  if (positional[0]?.field === undefined) return { [word]: values[0] }
  const fields = positional.map(({ field }, i) => [field, values[i]])
  return { [word]: Object.fromEntries([...fields, ...details]) }
}

const details = faultWords.flatMap((fault) => detailsOf(fault).map((it) => ({ fault, ...it })))

/** Flags for the optional arguments of faults, each with the flags of its faults. */
export const detailFlags = [...new Set(details.map(({ name }) => name))].map((name) => {
  const all = details.filter((it) => it.name === name)
  const of = all.map(({ fault }) => flagOf(fault.name))
  const [{ form = '', field = '' } = {}] = all
  const help = `for ${of.map((it) => `--${it}`).join(' and ')}: ${field.replaceAll('_', '-')}`
  return { name: flagOf(name), of, flag: { value: form, help } }
})

/** The flags of fields, for errors. */
export const detailNames: Readonly<Record<string, string>> = Object.fromEntries(
  details.map(({ fault, field, name }) => [`then.${fault.word}.${field}`, flagOf(name)]),
)
