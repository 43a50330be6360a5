import { type DrawnRule, drawingOf, drawnRule } from './drawing.js'
import type { Scenario } from './read.js'
import { inWords } from './sentences.js'

const BEGIN = '<!-- From here on written by npm run documents, from the files in scenarios/. -->'

const MAGIC = 'magic-values'

/** A page of documentation with its part about the shipped scenarios written anew. */
export const withCatalogue = (page: string, scenarios: readonly Scenario[]): string => {
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
  [...headOf(scenario), `\`\`\`text\n${drawingOf(scenario)}\n\`\`\``, ...expectedOf(scenario)].join(
    '\n\n',
  )

const headOf = ({ name, title, why }: Scenario): string[] => [
  `### ${name}`,
  `**${title}.** ${why ?? ''}`.trim(),
]

const expectedOf = ({ expect }: Scenario): string[] =>
  expect.length === 0
    ? []
    : [`Expects:\n\n${expect.map((it) => `- ${inWords(it).words}`).join('\n')}`]

/** Values that ask for an outcome, as a table: the drawings would all begin alike. */
const magicChapter = (scenario: Scenario): string[] => [
  ...headOf(scenario),
  table(
    ['of', 'value', 'what happens'],
    scenario.rules.map((rule) => {
      const { head, conditions, path } = drawnRule(rule)
      return [head, valueIn(conditions), path]
    }),
  ),
]

/** `account.account_number beginning with 000000 and ending in 01` as the field and `000000…01`. */
const valueIn = (conditions: DrawnRule['conditions']): string =>
  conditions
    .replace(/^([\w.]+) starting with (\S+) and ending with (\S+)$/, '`$1` `$2…$3`')
    .replace(/^([\w.]+) ending with (\S+)$/, '`$1` `…$2`')

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
