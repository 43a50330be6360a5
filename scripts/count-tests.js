// Prints `N passed, N failed` from the Vitest JSON reports in a folder. A test that ran on several Node
// versions counts once, and passes if it passed on each. A file that could not run
// counts as one failure.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder] = process.argv.slice(2)
const verdicts = new Map()

const note = (test, passed) => verdicts.set(test, passed && verdicts.get(test) !== false)

for (const file of readdirSync(folder)) {
  const { testResults } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  for (const { name, status, assertionResults } of testResults) {
    const ran = assertionResults.filter((it) => it.status === 'passed' || it.status === 'failed')
    // Tests made from a table may share a name; their position distinguishes them.
    for (const [place, it] of ran.entries()) {
      note(`${name} ${place} ${it.fullName}`, it.status === 'passed')
    }
    if (status === 'failed' && ran.every((it) => it.status === 'passed')) note(name, false)
  }
}

const failed = [...verdicts.values()].filter((passed) => !passed).length
console.log(`${verdicts.size - failed} passed, ${failed} failed`)
