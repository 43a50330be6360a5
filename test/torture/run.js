// `npm run torture -- <options of Vitest>`, or `npm run torture -- --mutants [part of a name]`. TORTURE_SECONDS says for
// how long, 60 without it. Each mutant is a change of the source that must be found.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MUTANTS } from './mutants.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const NOT_COPIED = ['node_modules', '.git', 'dist', 'dist.new']
const TORTURE = ['--config', 'test/torture/vitest.config.ts']

const runNode = (root, args, options) =>
  spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', ...options }).status

const runVitest = (root, args, options) =>
  runNode(root, ['node_modules/vitest/vitest.mjs', 'run', ...args], options)

const copyTree = () => {
  const root = mkdtempSync(join(tmpdir(), 'sandramp-mutants-'))
  const filter = (path) => !NOT_COPIED.includes(relative(ROOT, path))
  cpSync(ROOT, root, { recursive: true, filter })
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  return root
}

/** Returns the first finding; undefined if there is none. */
const findMutant = (root, { name, file, from, to, fault = '', test }) => {
  const path = join(root, file)
  const source = readFileSync(path, 'utf8')
  if (source.split(from).length !== 2) throw new Error(`${name}: ${file} must have ${from} once`)
  writeFileSync(
    path,
    source.replace(from, () => to),
  )
  try {
    if (runNode(root, ['scripts/build.js']) !== 0) throw new Error(`${name}: no build`)
    const report = join(root, 'report.json')
    const args = [
      ...(test ? [test] : [...TORTURE, 'test/torture/torture.ts']),
      '--reporter=json',
      `--outputFile=${report}`,
    ]
    const env = { ...process.env, TORTURE_FAULT: fault }
    if (runVitest(root, args, { env, stdio: 'ignore' }) === 0) return undefined
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
    const results = testResults.flatMap(({ assertionResults }) => assertionResults)
    const [failed] = results.filter(({ status }) => status === 'failed')
    const [message] = failed.failureMessages[0].split('\n')
    return `${failed.title}, after ${Math.ceil(failed.duration / 1_000)} s: ${message}`
  } finally {
    writeFileSync(path, source)
  }
}

const findMutants = (part = '') => {
  const root = copyTree()
  const missed = MUTANTS.filter((mutant) => {
    if (!mutant.name.includes(part)) return false
    const finding = findMutant(root, mutant)
    console.log(`${mutant.name}: ${finding ? `found by ${finding}` : 'NOT FOUND'}`)
    return !finding
  })
  rmSync(root, { recursive: true })
  return missed.length
}

const args = process.argv.slice(2)
const mutants = args.indexOf('--mutants')
process.exitCode =
  mutants < 0 ? runVitest(ROOT, [...TORTURE, ...args]) : findMutants(args[mutants + 1])
