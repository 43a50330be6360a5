import type { ApiReferenceConfiguration } from '@scalar/hono-api-reference'
import { DEMO_KEY } from '../../lib/secrets.js'

type ApiReferencePlugin = ReturnType<NonNullable<ApiReferenceConfiguration['plugins']>[number]>

/** Made by provenance.js. Scalar's Hono package passes functions on as their source text. */
declare const sandrampProvenance: () => ApiReferencePlugin

/** Fills in the demo key, so that requests work at once. */
const key = { authentication: { securitySchemes: { apiKey: { value: DEMO_KEY } } } }

const control = { title: 'Sandbox control', slug: 'control', url: '/_sandbox/openapi.json' }

/** Turns off everything in Scalar that contacts other hosts or advertises. */
export const configuration: Partial<ApiReferenceConfiguration> = {
  pageTitle: 'Sandramp · API reference',
  cdn: '/reference/scalar.js',
  sources: [
    { title: 'Payments service', slug: 'service', url: '/openapi.json', default: true, ...key },
    // Sixty operations at once take a browser seconds to draw.
    { ...control, ...key, defaultOpenAllTags: false },
  ].map((source) => ({ ...source, agent: { disabled: true } })),
  theme: 'none',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'direct',
  defaultOpenAllTags: true,
  orderSchemaPropertiesBy: 'preserve',
  hideModels: true,
  showOperationId: true,
  plugins: [() => sandrampProvenance()],
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
}
