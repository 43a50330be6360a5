import type { Scenario } from '../language/parse-scenario.js'
import { formatExpectationBody } from '../verify/format-expectation.js'
import { type RenderedRule, renderDiagram, renderRule } from './diagram.js'

const BEGIN = '<!-- From here on written by npm run documents, from the files in scenarios/. -->'

const MAGIC = 'magic-values'

/** A page of documentation with its part about the shipped scenarios written anew. */
export const withScenarioDocs = (page: string, scenarios: readonly Scenario[]): string => {
  const own = page.includes(BEGIN) ? page.slice(0, page.indexOf(BEGIN)) : `${page.trimEnd()}\n\n`
  const magic = scenarios.find(({ name }) => name === MAGIC)
  const others = scenarios.filter((it) => it !== magic)
  const parts = [BEGIN, '## The shipped scenarios', overview(scenarios), ...others.map(chapter)]
  return `${own}${[...parts, ...(magic ? magicChapter(magic) : [])].join('\n\n')}\n`
}

const overview = (scenarios: readonly Scenario[]): string =>
  table(
    ['name', 'what happens'],
    scenarios.map(({ name, title }) => [`[${name}](#${name})`, title]),
  )

const chapter = (scenario: Scenario): string =>
  [
    ...renderHead(scenario),
    `\`\`\`text\n${renderDiagram(scenario)}\n\`\`\``,
    ...renderExpected(scenario),
  ].join('\n\n')

const renderHead = ({ name, title, why }: Scenario): string[] => [
  `### ${name}`,
  `**${title}.** ${why ?? ''}`.trim(),
]

const renderExpected = ({ expect }: Scenario): string[] =>
  expect.length === 0
    ? []
    : [`Expects:\n\n${expect.map((it) => `- ${formatExpectationBody(it).words}`).join('\n')}`]

/** Values that ask for an outcome, as a table: the drawings would all begin alike. */
const magicChapter = (scenario: Scenario): string[] => [
  ...renderHead(scenario),
  table(
    ['of', 'value', 'what happens'],
    scenario.rules.map((rule) => {
      const { head, conditions, path } = renderRule(rule)
      return [head, valueIn(conditions), path]
    }),
  ),
]

/** `account.account_number beginning with 000000 and ending in 01` as the field and `000000…01`. */
const valueIn = (conditions: RenderedRule['conditions']): string =>
  conditions
    .replace(/^([\w.]+) starting with (\S+) and ending with (\S+)$/, '`$1` `$2…$3`')
    .replace(/^([\w.]+) ending with (\S+)$/, '`$1` `…$2`')

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
