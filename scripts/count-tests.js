// Prints `N passed, N failed` from the reports in a folder: JSON of Vitest, JUnit XML of pytest. A test that ran
// several times, such as on several Node versions, counts once, and passes if it passed each time. A file that could
// not run counts as one failure.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder] = process.argv.slice(2)
const verdicts = new Map()

const note = (test, passed) => verdicts.set(test, passed && verdicts.get(test) !== false)

const noteVitest = ({ testResults }) => {
  for (const { name, status, assertionResults } of testResults) {
    const ran = assertionResults.filter((it) => it.status === 'passed' || it.status === 'failed')
    // Tests made from a table may share a name; their position distinguishes them.
    for (const [place, it] of ran.entries()) {
      note(`${name} ${place} ${it.fullName}`, it.status === 'passed')
    }
    if (status === 'failed' && ran.every((it) => it.status === 'passed')) note(name, false)
  }
}

const notePytest = (xml) => {
  for (const [, name, body = ''] of xml.matchAll(
    /<testcase (.*?) time="[^"]*"\s*(?:\/>|>(.*?)<\/testcase>)/gs,
  )) {
    if (!body.includes('<skipped')) note(name, !/<(?:failure|error)\b/.test(body))
  }
}

for (const file of readdirSync(folder)) {
  const text = readFileSync(join(folder, file), 'utf8')
  if (file.endsWith('.xml')) notePytest(text)
  else noteVitest(JSON.parse(text))
}

const failed = [...verdicts.values()].filter((passed) => !passed).length
console.log(`${verdicts.size - failed} passed, ${failed} failed`)
