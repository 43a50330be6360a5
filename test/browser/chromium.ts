import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'

// A machine without Chromium skips the tests that need it, unless CHROMIUM_PATH says that there is one.

/** The shell is Chromium without its own windows, which take longer to open than most pages. */
const USUAL = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

const path = process.env.CHROMIUM_PATH ?? USUAL.find((it) => existsSync(it)) ?? ''
export const noChromium = path === ''

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: path,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--renderer-process-limit=1',
      '--in-process-gpu',
    ],
  })

/** Records requests to other sites and logged errors of a browser context. */
export const recordPageErrors = async (
  context: BrowserContext,
  origin: string,
  errors: string[],
  isExpected: (error: string) => boolean = () => false,
): Promise<void> => {
  const record = (error: string) => {
    if (!isExpected(error)) errors.push(error)
  }
  context.on('request', (request) => {
    if (!request.url().startsWith('data:') && new URL(request.url()).origin !== origin)
      record(`request to ${request.url()}`)
  })
  context.on('response', (response) => {
    if (response.status() >= 400) record(`${response.status()} from ${response.url()}`)
  })
  context.on('console', (message) => {
    if (message.type() === 'error') record(`console: ${message.text()}`)
  })
  context.on('weberror', (error) => record(`page: ${error.error().message}`))
  context.on('page', (page) => {
    page.on('websocket', (socket) => record(`websocket to ${socket.url()}`))
  })
  await context.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`),
    ),
  )
}
