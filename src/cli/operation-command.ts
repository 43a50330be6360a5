import * as z from 'zod'
import type { Operation } from '../http/operation/operation.js'
import type { ControlClient } from '../kit/control-client.js'
import type { Arguments, Flag } from '../lib/arguments.js'
import { fieldFlag, flagsFor, readFields, readWord } from '../runtime/option-flags.js'
import { sendOperation } from './send-operation.js'

export interface Call {
  readonly client: ControlClient
  readonly words: readonly string[]
  readonly args: Arguments
}

/** The answer of the control API, and a sentence about it. */
export type Output = readonly [json: unknown, text: string | undefined]

export interface RemoteCommand {
  /** `<amount>`, or `[<reason>]` if optional. */
  readonly words: string
  readonly brief: string
  readonly about: string
  readonly example?: string
  readonly flags?: Readonly<Record<string, Flag>>
  /** The words of fields, for errors. */
  readonly names?: Readonly<Record<string, string>>
  readonly run: (call: Call) => Promise<Output>
}

interface Short {
  /** `user=id` is a word for the field `id`; `time=until|to|by` is for the first field that accepts it. */
  readonly words?: readonly string[]
  readonly example?: string
  /** Fields that the command sets by itself; they have no flags. */
  readonly given?: object
  readonly brief?: string
  readonly about?: string
  /** Without it, the command prints the answer as JSON. */
  readonly say?: (json: never, call: Call) => string
}

type Fields = Readonly<Record<string, z.ZodType>>

const shapeOf = (schema: z.ZodType | undefined): Fields =>
  schema instanceof z.ZodObject ? schema.shape : {}

/** A command that is a control operation. Path, query and body become its words and flags. */
export const ofOperation = (operation: Operation, short: Short = {}): RemoteCommand => {
  const { params, query, body, text, method, path, summary, description } = operation
  const fields = { ...shapeOf(params), ...shapeOf(query), ...shapeOf(text?.schema ?? body) }
  const parameters = Object.keys({ ...shapeOf(params), ...shapeOf(query) })
  const words = (short.words ?? Object.keys(shapeOf(params))).map((it) => {
    const [word = '', names = word] = it.split('=')
    return { word, names: names.split('|') }
  })
  const named = [...words.flatMap(({ names }) => names), ...Object.keys(short.given ?? {})]
  const options = z.object(
    Object.fromEntries(Object.entries(fields).filter(([name]) => !named.includes(name))),
  )
  const flags = flagsFor(options, fieldFlag)
  const required = Object.entries(options.shape)
    .filter(([, option]) => !option.safeParse(undefined).success)
    .map(([name]) => name.replaceAll('_', '-'))
  return {
    words: [
      ...words.map(({ word }) => `<${word}>`),
      ...required.map((it) => `--${it} ${flags[it]?.value ?? ''}`.trim()),
    ].join(' '),
    brief: short.brief ?? summary,
    about: short.about ?? description.replaceAll('`', '').split(/(?<=\.)\s/)[0] ?? '',
    ...(short.example && { example: short.example }),
    flags,
    names: Object.fromEntries(words.flatMap(({ word, names }) => names.map((it) => [it, word]))),
    run: async (call) => {
      const given = words.map(({ word, names }, i) =>
        readWord(
          word,
          names.map((it) => [it, fields[it] ?? z.string()]),
          call.words[i] ?? '',
        ),
      )
      const input = {
        ...short.given,
        ...readFields(call.args, options),
        ...Object.assign({}, ...given),
      }
      const hasBody = body !== undefined
      const json = await sendOperation(call.client, { method, path, parameters, hasBody }, input)
      return [json, short.say?.(json as never, call)]
    },
  }
}
