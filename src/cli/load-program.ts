import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'

export interface Program {
  /** Whether V8 goes on from what was kept of an earlier run. */
  readonly isCompiled: boolean
  readonly run: () => void
  /** Keeps what V8 has compiled of it by now. */
  readonly keepCompiled: () => void
}

/** The command line, which the build makes a single script: as far as it was kept, it is compiled already. */
export const loadProgram = (file: string): Program => {
  const source = readFileSync(file)
  const script = new Script(source.toString('latin1'), {
    filename: file,
    cachedData: readCompiled(file, source),
  })
  return {
    isCompiled: script.cachedDataRejected === false,
    run: () => script.runInThisContext()(createRequire(file), pathToFileURL(file).href),
    keepCompiled: () => {
      const compiled = script.createCachedData()
      writeFileSync(compiledFile(file), Buffer.concat([computeHash(source, compiled), compiled]))
    },
  }
}

/** Beside the program, for the one version of Node that can read it. */
export const compiledFile = (file: string): string =>
  `${file}.${process.version}-${process.platform}-${process.arch}`

/** V8 trusts what it is given, and would crash on what is damaged or of another program. */
const readCompiled = (file: string, source: Buffer): Buffer | undefined => {
  if (!existsSync(compiledFile(file))) return undefined
  const kept = readFileSync(compiledFile(file))
  const compiled = kept.subarray(HASH_BYTES)
  return computeHash(source, compiled).equals(kept.subarray(0, HASH_BYTES)) ? compiled : undefined
}

const HASH_BYTES = 32

const computeHash = (source: Buffer, compiled: Buffer): Buffer =>
  createHash('sha256').update(source).update(compiled).digest()
