import { type Problem, SandboxError } from './sandbox-error.js'

/** Sends requests to a sandbox, in process or over a port. */
export interface Transport {
  /** `target` is a path, and may be a URL for a client that has a base URL. */
  fetch(target: string | URL | Request, init?: RequestInit): Promise<Response>
  /** `fetch` of a path, with the body read as text. In process it needs no Response. */
  fetchText(
    path: string,
    init: RequestInit,
  ): Promise<{ readonly status: number; readonly text: string }>
  /** Opens the port of a sandbox in process. */
  url(): Promise<string>
  readonly controlToken: string | undefined
}

type Query = Readonly<Record<string, string | number | undefined>>

/** Calls the control API for one world. */
export class ControlClient {
  readonly #headers: Readonly<Record<string, string>>

  /** Without a key, it calls for the default world. */
  constructor(
    readonly transport: Transport,
    key: string | undefined,
    /** The id of the world, instead of a key; `all` for calls that accept it. */
    readonly world?: string,
  ) {
    const { controlToken: token } = transport
    this.#headers = {
      ...(key !== undefined && { 'x-api-key': key }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
  }

  get<T>(path: string, query: Query = {}): Promise<T> {
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    )
    const search = new URLSearchParams(given).toString()
    return this.#call('GET', search === '' ? path : `${path}?${search}`)
  }

  /** A text is YAML. */
  async send<T>(method: string, path: string, body?: object | string): Promise<T> {
    return this.#call(method, path, body)
  }

  /** Opens a stream of server-sent events, and yields the data of those of one type. */
  async stream<T>(type: string, path: string): Promise<AsyncGenerator<T>> {
    const init = { headers: this.#headers }
    const response = await this.transport.fetch(this.#target(path), init)
    if (!response.ok) throw toSandboxError(response.status, await response.text())
    return readEvents(type, response.body ?? new ReadableStream())
  }

  async #call<T>(method: string, path: string, body?: object | string): Promise<T> {
    const isYaml = typeof body === 'string'
    const type = isYaml ? 'application/yaml' : 'application/json'
    const { status, text } = await this.transport.fetchText(this.#target(path), {
      method,
      headers: { ...this.#headers, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body: isYaml ? body : JSON.stringify(body) }),
    })
    if (status >= 300) throw toSandboxError(status, text)
    return JSON.parse(text)
  }

  #target(path: string): string {
    const world = this.world && `${path.includes('?') ? '&' : '?'}world=${this.world}`
    return `/_sandbox${path}${world ?? ''}`
  }
}

interface ErrorBody {
  readonly code: string
  readonly message: string
  readonly problems?: readonly Problem[]
}

const toSandboxError = (status: number, text: string): SandboxError => {
  const { code, message, problems } = JSON.parse(text) as ErrorBody
  return new SandboxError(code, message, problems, status)
}

async function* readEvents<T>(
  type: string,
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<T, void> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    const blocks = (text + decoder.decode(chunk, { stream: true })).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, of, data = ''] = /^event: (\w+)\ndata: (.*)$/m.exec(block) ?? []
      if (of === type) yield JSON.parse(data)
    }
  }
}
