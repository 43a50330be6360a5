import * as z from 'zod'
import { MAX_SCENARIO_BYTES, MAX_UPLOADED } from '../../domain/scenario-state.js'
import type { World } from '../../domain/world.js'
import { badRequest } from '../../http/operation/api-error.js'
import { created, ok, operation } from '../../http/operation/operation.js'
import { parseJson } from '../../http/pipeline/parse-body.js'
import { assertScenario } from '../../http/pipeline/request-choices.js'
import { notFound } from '../../kernel/refusal.js'
import { renderDiagram } from '../../scenarios/docs/diagram.js'
import { activeNames } from '../../scenarios/evaluate/compiled-rules.js'
import {
  findScenario,
  HAPPY_PATH,
  namesIn,
  readSource,
} from '../../scenarios/language/catalogue.js'
import type { ParsedUpload, Scenario } from '../../scenarios/language/parse-scenario.js'
import { fields } from './fields.js'
import { listSchema, pageQuery, toPage } from './lists.js'

const MAX_NAMES = 200

const item = z
  .object({
    name: z.string(),
    title: z.string(),
    why: z.string().nullable().meta({ description: 'Its purpose' }),
    active: z.boolean().meta({ description: 'Whether this world plays it' }),
    posted: z.boolean().meta({ description: 'Whether it was posted to this world' }),
    rules: z.int().meta({ description: 'How many rules it has' }),
    drawing: z.string().meta({ description: 'One line for each rule, time running to the right' }),
  })
  .meta({ id: 'Scenario' })

const active = z
  .array(z.string())
  .meta({ description: 'Names of those that are played, in order of precedence' })

const show = (world: World, scenario: Scenario): z.input<typeof item> => ({
  name: scenario.name,
  title: scenario.title,
  why: scenario.why ?? null,
  active: activeNames(world.tables).includes(scenario.name),
  posted: world.tables.posted.get(scenario.name) !== undefined,
  rules: scenario.rules.length,
  drawing: renderDiagram(scenario),
})

export const listScenarios = operation({
  id: 'listScenarios',
  method: 'get',
  path: '/_sandbox/scenarios',
  tag: 'Scenarios',
  summary: 'List scenarios',
  description: 'All scenarios of this world by name, and the active ones in order of precedence.',
  query: pageQuery,
  answers: {
    200: { description: 'One page', schema: listSchema(item, 'ScenarioList').extend({ active }) },
  },
  needsNoWorld: true,
  handle: ({ sandbox, world, query }) => {
    const all = namesIn(sandbox.catalogue, world.tables).flatMap(
      (it) => findScenario(sandbox.catalogue, world.tables, it) ?? [],
    )
    const page = toPage(all, query, (it) => show(world, it))
    return ok({ ...page, active: activeNames(world.tables) })
  },
})

export const activateScenarios = operation({
  id: 'activateScenarios',
  method: 'put',
  path: '/_sandbox/scenarios/active',
  tag: 'Scenarios',
  summary: 'Choose the active scenarios',
  description:
    'Replaces the active scenarios; the first one has precedence. happy-path stays active, as the ' +
    'last one. Pending timers continue.',
  body: fields({
    names: z
      .array(z.string('the name of a scenario'), 'a list of names of scenarios')
      .max(MAX_NAMES, `at most ${MAX_NAMES} names`),
  }).meta({
    id: 'ScenarioChoice',
    example: { names: ['bank-rejects', 'magic-values'] },
  }),
  answers: {
    200: {
      description: 'The active scenarios afterwards',
      schema: z.object({ active }).meta({ id: 'ActiveScenarios' }),
    },
  },
  handle: ({ sandbox, world, body: { names }, cause }) => {
    for (const [i, name] of names.entries()) assertScenario(sandbox, world, `names.${i}`, name)
    world.run('scenarios.activate', { names }, cause)
    return ok({ active: activeNames(world.tables) })
  },
})

const SCENARIO_DOCS = '/docs/reference/scenarios.md'

interface PostedText {
  readonly text: string
  readonly posted: ParsedUpload
}

/** Loads the YAML library with the first upload. */
const read = async (text: string): Promise<PostedText> => {
  const { parseUpload } = await import('../../scenarios/language/parse-scenario.js')
  return { text, posted: parseUpload(text) }
}

/**
 * Reads a body as JSON if its type says so, else as YAML. Some editors begin files with a byte order mark.
 */
const scenarioIn = ({ text, posted }: PostedText, type = ''): Scenario => {
  if (/^application\/json\b/i.test(type)) parseJson(text.replace(/^\uFEFF/, ''))
  if ('problems' in posted)
    throw badRequest(`${posted.problems}\nGET ${SCENARIO_DOCS} has the language.`)
  return posted.scenario
}

export const postScenario = operation({
  id: 'postScenario',
  method: 'post',
  path: '/_sandbox/scenarios',
  tag: 'Scenarios',
  summary: 'Post a scenario',
  description:
    'Adds a scenario to this world. The body is the file, YAML or JSON, at most 1 MiB. ' +
    'A scenario of the same name is replaced, and its counts begin again. A world ' +
    `has at most ${MAX_UPLOADED} posted scenarios; a reset deletes them. An invalid file changes ` +
    'nothing, and the error lists each fault with line and column.',
  query: z.object({
    activate: z
      .enum(['true', 'false'])
      .default('false')
      .meta({ description: 'Whether it is played from now on, before all others' }),
  }),
  body: z.object({ text: z.string(), posted: z.custom<ParsedUpload>() }),
  text: {
    types: [
      // JSON comes first: code generators fill it in from the example.
      'application/json',
      'application/yaml',
      'application/x-yaml',
      'text/yaml',
      'text/x-yaml',
      'text/plain',
    ],
    limit: MAX_SCENARIO_BYTES,
    schema: z
      .looseObject({
        name: z.string().meta({ description: 'a-z, 0-9 and -, at most 64 characters' }),
        title: z.string(),
        rules: z.array(z.looseObject({ when: z.string(), then: z.array(z.unknown()) })),
      })
      .meta({
        id: 'ScenarioFile',
        description: 'A scenario file; scenarios/scenario.schema.json holds the whole language',
        example: {
          name: 'euro-fails',
          title: 'Euro transfers fail',
          rules: [
            {
              when: 'transfer.created',
              if: { target_currency: 'EUR' },
              then: [{ after: '5s', move: 'FAILED', reason: 'account_closed' }],
            },
          ],
        },
      }),
    read,
  },
  answers: { 201: { description: 'The scenario', schema: item } },
  handle: ({ world, query, body, cause, request }) => {
    const scenario = scenarioIn(body, request.header('content-type'))
    const { text } = body
    const { name } = scenario
    world.run('scenario.post', { id: name, text, scenario }, cause)
    if (query.activate === 'true') {
      const others = activeNames(world.tables).filter((it) => it !== name && it !== HAPPY_PATH)
      world.run('scenarios.activate', { names: [name, ...others] }, cause)
    }
    return created(show(world, scenario))
  },
})

export const readScenarioText = operation({
  id: 'readScenario',
  method: 'get',
  path: '/_sandbox/scenarios/{name}',
  tag: 'Scenarios',
  summary: 'Read a scenario',
  description: 'A scenario with the text of its file.',
  params: z.object({ name: z.string().meta({ description: 'Name', example: 'bank-rejects' }) }),
  answers: {
    200: {
      description: 'The scenario',
      schema: item.extend({ text: z.string().nullable() }).meta({ id: 'ScenarioWithText' }),
    },
  },
  needsNoWorld: true,
  handle: ({ sandbox, world, params: { name } }) => {
    const scenario = findScenario(sandbox.catalogue, world.tables, name)
    if (!scenario) throw notFound('name', `no scenario is named ${JSON.stringify(name)}`)
    return ok({
      ...show(world, scenario),
      text: readSource(world.tables, scenario) ?? null,
    })
  },
})
