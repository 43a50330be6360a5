import { assumptionIds } from '../assumptions/ids.js'
import { type AssumptionId, assumptions } from '../assumptions/register/index.js'

const BEGIN = '<!-- From here on written by npm run documents, from src/contract/assumptions. -->'

/** A page of documentation with its table of all assumptions written anew. */
export const withReadings = (page: string): string => {
  const own = page.includes(BEGIN) ? page.slice(0, page.indexOf(BEGIN)) : `${page.trimEnd()}\n\n`
  const parts = [BEGIN, '## All of them', INTRODUCTION, ...areas().flatMap(chapter)]
  return `${own}${parts.join('\n\n')}\n`
}

const INTRODUCTION = 'The default is the first one of each.'

const idPrefix = (id: AssumptionId): string => id.split('.', 1)[0] ?? id

const areas = (): string[] => [...new Set(assumptionIds.map(idPrefix))]

const chapter = (area: string): string[] => [
  `### ${area}`,
  [
    '| id | question | readings | what the default rests on |',
    '| --- | --- | --- | --- |',
    ...assumptionIds.filter((id) => idPrefix(id) === area).map(row),
  ].join('\n'),
]

const row = (id: AssumptionId): string => {
  const { question, readings, basis } = assumptions[id]
  const told = readings.map(({ name, means }) => `\`${name}\`: ${means}`).join('<br>')
  return `| \`${id}\` | ${question} | ${told} | ${basis} |`
}
