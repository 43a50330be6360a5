import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compiledFile, loadProgram } from '../../src/cli/load-program.js'
import { packageFile, programFile } from '../../src/lib/paths.js'
import { version } from '../../src/runtime/options.js'
import { CLI } from './sandramp.js'

let folder: string
/** The program in a folder of its own, where nothing of it is kept. */
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandramp-program-'))
  cpSync(packageFile, join(folder, 'package.json'))
  for (const it of [CLI, programFile]) cpSync(it, join(folder, 'dist', basename(it)))
  file = join(folder, 'dist', basename(programFile))
})
afterEach(() => rmSync(folder, { recursive: true }))

const printedVersion = () => {
  const cli = join(folder, 'dist', basename(CLI))
  return execFileSync(process.execPath, [cli, '--version'], { encoding: 'utf8' }).trim()
}

it('the program holds nothing but ASCII, as which it is read', () => {
  expect(readFileSync(programFile).every((byte) => byte < 128)).toBe(true)
})

describe('a command', () => {
  it('is compiled when nothing is kept', () => {
    expect(loadProgram(file).isCompiled).toBe(false)
    expect(printedVersion()).toBe(version)
  })

  it('goes on from what is kept', () => {
    loadProgram(file).keepCompiled()
    expect(loadProgram(file).isCompiled).toBe(true)
    expect(printedVersion()).toBe(version)
  })

  it.each<[string, (kept: Buffer) => Buffer]>([
    ['empty', () => Buffer.alloc(0)],
    ['something else', () => Buffer.from('no code')],
    ['cut off', (kept) => kept.subarray(0, kept.length >> 1)],
    ['damaged', (kept) => Buffer.from(kept).fill(0xff, kept.length >> 1)],
  ])('is compiled when what is kept is %s', (_, spoil) => {
    loadProgram(file).keepCompiled()
    writeFileSync(compiledFile(file), spoil(readFileSync(compiledFile(file))))
    expect(loadProgram(file).isCompiled).toBe(false)
    expect(printedVersion()).toBe(version)
  })

  it('is compiled when what is kept is of another program of the same length', () => {
    loadProgram(file).keepCompiled()
    const source = readFileSync(file, 'latin1')
    writeFileSync(file, source.replaceAll('sandramp', 'pmardnas'))
    expect(loadProgram(file).isCompiled).toBe(false)
  })
})
