import { expect } from 'vitest'
import type { InnerSandbox } from './inner-sandbox.js'
import { openSandbox } from './open-sandbox.js'

/** A page as a browser without script shows it. */
export interface Shown {
  readonly status: number
  /** The URL after all redirects. */
  readonly path: string
  readonly html: string
  /** The readable text, without markup. */
  readonly text: string
  readonly headers: Headers
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** The text of markup, each run of space as one. */
export const textOf = (html: string): string =>
  html
    .replace(
      /<span (?:class="id"|data-due="\d+")>([^<]*)<\/span>|<\/?(?:mark|bdi|b)\b[^>]*>/g,
      '$1',
    )
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, ' ')

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

type Sent = Readonly<Record<string, string>>

/** Somebody who looks at the console: has cookies, sends forms, follows where they lead. */
export class ConsoleVisit {
  readonly cookies = new Map<string, string>()

  constructor(
    readonly sandbox: InnerSandbox,
    readonly headers: Sent = {},
  ) {}

  async get(path: string, headers: Sent = {}): Promise<Shown> {
    return this.#follow(path, await this.#send(path, { headers }))
  }

  /** A page that has to be there. */
  async look(path: string): Promise<Shown> {
    const shown = await this.get(path)
    expect(shown.status, shown.text).toBe(200)
    return shown
  }

  /** Sends a form from a page, and shows where it leads. */
  async submit(
    action: string,
    fields: Readonly<Record<string, string>>,
    { back = '/', headers = {} }: { back?: string; headers?: Sent } = {},
  ): Promise<Shown> {
    const given = { method: 'POST', body: new URLSearchParams(fields).toString() }
    const sent = { ...FORM, referer: new URL(back, this.#origin).href, ...headers }
    return this.#follow(action, await this.#send(action, { ...given, headers: sent }))
  }

  /** Sends a form and stays at its answer. */
  async send(action: string, fields: Readonly<Record<string, string>>): Promise<Response> {
    const body = new URLSearchParams(fields).toString()
    return this.#send(action, { method: 'POST', headers: FORM, body })
  }

  get #origin(): string {
    return `http://${this.headers.host ?? 'localhost'}`
  }

  async #send(path: string, init: RequestInit & { headers: Sent }): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(cookie && { cookie }), ...this.headers, ...init.headers }
    const response = await this.sandbox.fetch(path, { ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0/i.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return response
  }

  async #follow(path: string, response: Response): Promise<Shown> {
    const to = response.headers.get('location')
    if (response.status === 303 && to !== null) return this.get(to)
    const html = await response.text()
    return { status: response.status, path, html, text: textOf(html), headers: response.headers }
  }
}

export const openConsole = async (options: Parameters<typeof openSandbox>[0] = {}) => {
  const api = await openSandbox(options)
  return { api, sandbox: api.sandbox, visitor: new ConsoleVisit(api.sandbox) }
}
