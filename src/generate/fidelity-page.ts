import { GATE_ERRORS, serviceDocument } from '../api/service/document.js'
import { serviceOperations } from '../api/service/index.js'
import { assumptionIds } from '../assumptions/ids.js'
import { assumptionsOfAll } from '../assumptions/register/by-operation.js'
import { type AssumptionId, assumptions } from '../assumptions/register/index.js'
import { RISK_ASSESSMENTS, RISKS } from '../assumptions/register/risks.js'
import {
  errorFields,
  measureFidelity,
  type OperationFidelity,
  type Part,
  PROVENANCES,
  type Provenance,
} from './fidelity.js'
import { table } from './reference-tables.js'

/** FIDELITY.md: how far users can trust the sandbox. */
export const fidelityPage = (): string => {
  const document = serviceDocument()
  const all = serviceOperations.map((it) => measureFidelity(it, document, GATE_ERRORS))
  return `${[
    '# Fidelity',
    INTRODUCTION,
    '## In total',
    table(['', ...PROVENANCES, 'together'], totals(all, errorFields(document))),
    `${openWords(assumptionIds)} ${AFTER}`,
    '## What it does otherwise',
    OTHERWISE,
    '## By operation',
    LEGEND,
    table(
      ['operation', 'request fields', 'answer fields', 'answers', 'error codes', 'open questions'],
      all.map(row),
    ),
    ...all.flatMap(renderSection),
    '## In every operation',
    openTable(assumptionsOfAll()),
  ].join('\n\n')}\n`
}

const INTRODUCTION = `See how far you can trust a response of the sandbox. Everything in it has one of three sources:

- **documented**: the contract states it. A client that works here works there.
- **observed**: the contract shows such a value and states no rule. It holds for that value.
- **assumed**: the contract is silent or contradicts itself, and the sandbox decides. The decision may be wrong. Each one
  has an id, other readings that you can select, and is named by the responses that rely on it.

This page counts them. \`npm run documents\` generates it from the definitions that the sandbox serves and validates with.`

const AFTER = `[Open questions](docs/reference/open-questions.md) shows how to
find those that your integration relies on, send them to the operator, run your tests under every reading, and reject all
assumptions with \`--strict\`.`

/** Written by hand, because these differences belong to no operation. */
const OTHERWISE = `Here the contract is clear, and the sandbox differs so that it can run on your machine:

- **Plain HTTP is served**, unless you start with \`--tls\`. The contract rejects plain HTTP (Authentication, 2).
- **Some keys are never unknown.** \`SandboxWorld\` plus 20 letters or digits opens
  [an isolated world](docs/reference/isolated-worlds.md). The contract returns 401 with code 4101 (Authentication, 7).
- **Demo keys exist from the start**, and they are public. In the contract an administration console creates keys and shows
  them once (Authentication, 4).

[Differences from the live service](docs/background/differences.md) lists what the sandbox adds: headers and paths of its own,
limits of connections, invented rates and fees, and timing.`

const LEGEND = `Counts are documented · observed · assumed.

- A field counts as documented if the contract names it, and as assumed if its enclosing object is assumed.
  Doubts about its value are counted as open questions.
- A response with an error counts as documented only if the contract gives its code, and no other status for it elsewhere.
- Open questions are high · medium · low: money moves twice or is lost, a client takes the wrong branch, only the shape of
  a value differs.`

const count = (parts: readonly Part[], provenance: Provenance): number =>
  parts.filter((part) => part.provenance === provenance).length

const counts = (parts: readonly Part[]): string =>
  PROVENANCES.map((provenance) => count(parts, provenance)).join(' · ')

const risks = (ids: readonly AssumptionId[]): number[] =>
  RISKS.map((risk) => ids.filter((id) => RISK_ASSESSMENTS[id].risk === risk).length)

const totals = (all: readonly OperationFidelity[], error: readonly Part[]): string[][] => {
  const line = (name: string, parts: readonly Part[]): string[] => [
    name,
    ...PROVENANCES.map((provenance) => String(count(parts, provenance))),
    String(parts.length),
  ]
  const codes = new Map(all.flatMap((it) => it.codes).map((code) => [code.name, code]))
  const behaviours = assumptionIds.map((name): Part => ({ name, provenance: 'assumed' }))
  return [
    line(
      'fields of requests',
      all.flatMap((it) => it.requestFields),
    ),
    line(
      'fields of answers',
      all.flatMap((it) => it.answerFields),
    ),
    line('fields of the error body', error),
    line(
      'answers, by status',
      all.flatMap((it) => it.answers),
    ),
    line('error codes', [...codes.values()]),
    line('behaviours in the register', behaviours),
  ]
}

const openWords = (ids: readonly AssumptionId[]): string => {
  const [high, medium, low] = risks(ids)
  return `Of the ${ids.length} open questions ${high} are about money that moves twice or is lost, ${medium} about the branch that a
client takes, and ${low} about the shape of something.`
}

const row = (it: OperationFidelity): string[] => [
  `[${it.title}](#${anchor(it)})`,
  counts(it.requestFields),
  counts(it.answerFields),
  counts(it.answers),
  counts(it.codes),
  risks(it.open).join(' · '),
]

const anchor = ({ title }: OperationFidelity): string => title.toLowerCase().replaceAll(' ', '-')

const renderSection = (it: OperationFidelity): string[] => {
  const lines = [
    partsLine('Request fields', it.requestFields),
    partsLine('Answer fields', it.answerFields),
    partsLine('Answers', it.answers),
    partsLine('Error codes', it.codes),
  ]
  return [
    `### ${it.title}`,
    `\`${it.method} ${it.path}\``,
    lines.filter((line) => line !== undefined).join('\n'),
    ...(it.open.length > 0 ? [openTable(it.open)] : []),
  ]
}

/** Counts the documented parts and names the others. */
const partsLine = (what: string, parts: readonly Part[]): string | undefined => {
  if (parts.length === 0) return undefined
  const others = PROVENANCES.slice(1).flatMap((provenance) => {
    const names = parts
      .filter((it) => it.provenance === provenance)
      .map(({ name }) => formatCode(name))
    return names.length > 0 ? [`${provenance}: ${names.join(', ')}`] : []
  })
  return `- **${what}:** ${[`${count(parts, 'documented')} documented`, ...others].join('; ')}`
}

const formatCode = (name: string): string => (name.includes(' ') ? name : `\`${name}\``)

const openTable = (ids: readonly AssumptionId[]): string =>
  table(
    ['risk', 'open question', 'the sandbox', 'it might be'],
    RISKS.flatMap((risk) => ids.filter((id) => RISK_ASSESSMENTS[id].risk === risk)).map((id) => {
      const { question, readings } = assumptions[id]
      const [first, ...others] = readings.map(({ name, means }) => `\`${name}\`: ${means}`)
      return [RISK_ASSESSMENTS[id].risk, `${question} \`${id}\``, first ?? '', others.join(' — ')]
    }),
  )
