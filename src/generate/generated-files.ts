import { controlDocument } from '../api/control/document.js'
import { serviceDocument } from '../api/service/document.js'
import { DEFAULT_VIEW } from '../http/operation/document.js'
import { createSandbox } from '../index.js'
import { version } from '../runtime/options.js'
import { withScenarioDocs } from '../scenarios/docs/docs-page.js'
import { scenarioSchema } from '../scenarios/docs/json-schema.js'
import { bundledNames, readBundledScenario } from '../scenarios/language/bundled.js'
import { generateTypes } from './api-types.js'
import { withoutGuesses } from './contract-only.js'
import { generateNextFaults } from './next-faults.js'
import { recordAnswers } from './recorded-answers.js'
import {
  withControlCalls,
  withFaults,
  withFlags,
  withNextFaults,
  withReadings,
} from './reference-tables.js'

const PAGE = 'docs/reference/scenarios.md'
const READINGS = 'docs/reference/open-questions.md'
const COMMAND_LINE = 'docs/reference/cli.md'
const TYPES = 'generated/api-types.ts'
const NEXT_FAULTS = 'generated/next-faults.ts'
const TEST_KIT = 'docs/reference/test-kit.md'
const CONTROL_API = 'docs/reference/control-api.md'

/** Schemas of the control API that the test kit uses. */
const CONTROL_TYPES = [
  'ActivityGroup',
  'AccountRegistration',
  'Audit',
  'Deposit',
  'DepositRequest',
  'DestinationAccount',
  'ClockAdvanced',
  'CreatedWorld',
  'Entry',
  'FiatBalance',
  'Fixtures',
  'Health',
  'LoggedExchange',
  'AnyRecord',
  'Redone',
  'SandboxPayout',
  'SandboxTransfer',
  'SandboxUser',
  'Snapshot',
  'Undone',
  'Verified',
  'Why',
  'World',
  'ListedWorld',
]

type GeneratedFiles = Record<
  | 'openapi/service.json'
  | 'openapi/service-3.0.json'
  | 'openapi/contract.json'
  | 'openapi/contract-3.0.json'
  | 'openapi/control.json'
  | 'scenarios/scenario.schema.json'
  | typeof TYPES
  | typeof NEXT_FAULTS
  | typeof PAGE
  | typeof READINGS
  | typeof COMMAND_LINE
  | typeof TEST_KIT
  | typeof CONTROL_API,
  string
>

/** `read` returns the present content, because parts of pages are written by hand. */
export const generateFiles = async (read: (path: string) => string): Promise<GeneratedFiles> => {
  const view = { ...DEFAULT_VIEW, recorded: await recordAnswers() }
  const contract = { ...view, isContract: true }
  const service = serviceDocument(view)
  const control = controlDocument(version)
  const scenario = scenarioSchema()
  const { defaultWorld } = await createSandbox()
  return {
    'openapi/service.json': pretty(service),
    'openapi/service-3.0.json': pretty(serviceDocument({ ...view, openapi: '3.0' })),
    'openapi/contract.json': pretty(withoutGuesses(serviceDocument(contract))),
    'openapi/contract-3.0.json': pretty(
      withoutGuesses(serviceDocument({ ...contract, openapi: '3.0' })),
    ),
    'openapi/control.json': pretty(control),
    'scenarios/scenario.schema.json': pretty(scenario),
    [TYPES]: generateTypes(service, control, scenario, CONTROL_TYPES, defaultWorld),
    [NEXT_FAULTS]: generateNextFaults(),
    [PAGE]: withScenarioDocs(withFaults(read(PAGE)), bundledNames().map(readBundledScenario)),
    [READINGS]: withReadings(read(READINGS)),
    [COMMAND_LINE]: withFlags(read(COMMAND_LINE)),
    [TEST_KIT]: withNextFaults(read(TEST_KIT)),
    [CONTROL_API]: withControlCalls(read(CONTROL_API)),
  }
}

const pretty = (document: unknown): string => `${JSON.stringify(document, null, 2)}\n`
