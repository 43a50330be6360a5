import { controlDocument } from './control/document.js'
import { version } from './options.js'
import { serviceDocument } from './service/document.js'

/** The committed OpenAPI documents: what each file in openapi/ has to hold. */
export const documentTexts = (): Record<'service.json' | 'control.json', string> => ({
  'service.json': pretty(serviceDocument()),
  'control.json': pretty(controlDocument(version)),
})

const pretty = (document: unknown): string => `${JSON.stringify(document, null, 2)}\n`
