import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../readme/markdown.js'

const run = promisify(execFile)

/** Pretends an older Node version. */
const OLD =
  "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.18.3'}})"

const failing = async (...args: string[]) =>
  run(process.execPath, args).then(
    () => ({ code: 0, stderr: '' }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
  )

const SENTENCE = 'Sandramp needs Node 20.19 or newer, this is Node 20.18.3.'

test.each(['scripts/start.js', 'dist/cli.js'])(
  '%s refuses an older Node in one line',
  async (file) => {
    const { code, stderr } = await failing('--import', OLD, join(root, file), '--version')
    expect(stderr.replace('sandramp: ', '')).toBe(`${SENTENCE}\n`)
    expect(code).toBe(2)
  },
)

test('the library refuses an older Node with an error that says so', async () => {
  const library = pathToFileURL(join(root, 'dist', 'index.js')).href
  const script = `import('${library}').catch(({ message }) => { console.error(message); process.exit(1) })`
  const { stderr } = await failing('--import', OLD, '--input-type=module', '-e', script)
  expect(stderr).toBe(`${SENTENCE}\n`)
})

test('npm start without installed dependencies says to run npm ci, in one line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandramp-start-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true })
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  expect(await failing(join(folder, 'scripts', 'start.js'))).toEqual({
    code: 2,
    stderr: 'The dependencies are not installed: run npm ci first.\n',
  })
})
