import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { addresses, keys } from '../support/fixture-ids.js'
import { createInner, type InnerSandbox } from '../support/inner-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import { launchChromium, noChromium, recordPageErrors } from './chromium.js'

/** A browser with a sandbox that is reset before each test. An error of a page fails the test. */
export class ConsoleBrowser {
  sandbox!: InnerSandbox
  origin = ''
  /** Troubles that a test brings about by itself. */
  isExpected: (trouble: string) => boolean = () => false
  #browser: Browser | undefined
  #contexts: BrowserContext[] = []
  /** A window costs more than most tests do in it: one after the other they share one. */
  #shared: Page | undefined
  #isTaken = false
  #troubles: string[] = []

  constructor() {
    if (noChromium) return
    beforeAll(async () => {
      this.sandbox = await createInner({ clock: 'manual', seed: 'tests' })
      this.origin = new URL((await this.sandbox.listen({ port: 0 })).url).origin
      this.#browser = await launchChromium()
    })
    afterAll(async () => {
      await this.#browser?.close()
      await this.sandbox.close()
    })
    beforeEach(async () => {
      this.isExpected = () => false
      // A reset keeps the requests before it.
      await this.sandbox.fetch('/_sandbox/requests', { method: 'DELETE' })
      this.sandbox.reset()
    })
    afterEach(async () => {
      for (const context of this.#contexts.splice(0)) await context.close()
      await this.#leaveShared()
      expect(this.#troubles.splice(0)).toEqual([])
    })
  }

  /** Windows of their own, which share cookies. */
  async context(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const context = await this.#open(options)
    this.#contexts.push(context)
    return context
  }

  /** A page in a window that nobody else has at this time. */
  async visit(path: string, options?: BrowserContextOptions): Promise<Page> {
    const isOwn = this.#isTaken || options
    const page = isOwn ? await (await this.context(options)).newPage() : await this.#take()
    await page.goto(this.origin + path)
    // Until then a page waits with what is sent: a test that looks at how that goes would wait as well.
    if (options?.javaScriptEnabled !== false) await page.waitForFunction(() => 'htmx' in window)
    return page
  }

  /** A transfer under way, a payout, a refusal, an unmatched deposit. */
  async happen(): Promise<{ transfer: string; payout: string; request: string }> {
    const headers = { 'x-api-key': keys.full, 'content-type': 'application/json' }
    const pay = (body: object) =>
      this.sandbox.fetch('/payment/api/v1/payout', {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
    const { id } = await (await pay(payoutRequest())).json()
    await pay({ ...payoutRequest(), amount: 'much' })
    this.sandbox.run('deposit.receive', { address: 'nowhere', amount: '5' })
    const address = addresses.adaEur
    const { transfer_id } = this.sandbox.run('deposit.receive', { address, amount: '100' })
    this.sandbox.advance('3s')
    await this.sandbox.fetch('/_sandbox/snapshots', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"before"}',
    })
    const refused = this.sandbox.requests().find(({ status }) => status === 400)
    return { transfer: transfer_id ?? '', payout: id, request: refused?.id ?? '' }
  }

  async #open(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    if (!this.#browser) throw new Error('there is no browser')
    const viewport = { width: 1280, height: 900 }
    const context = await this.#browser.newContext({ viewport, ...options })
    context.setDefaultTimeout(60_000)
    await recordPageErrors(context, this.origin, this.#troubles, (it) => this.isExpected(it))
    return context
  }

  async #take(): Promise<Page> {
    this.#isTaken = true
    this.#shared ??= await (await this.#open()).newPage()
    return this.#shared
  }

  async #leaveShared(): Promise<void> {
    if (!this.#isTaken) return
    this.#isTaken = false
    await this.#shared?.goto('about:blank')
    await this.#shared?.context().clearCookies()
  }
}
