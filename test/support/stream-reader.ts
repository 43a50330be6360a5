import { onTestFinished } from 'vitest'

/** One server-sent event, or a comment, or the browser's waiting time. */
export interface StreamEvent {
  readonly event?: string
  readonly id?: string
  readonly data?: string
  readonly comment?: string
  readonly retry?: string
}

/** Reads a response as server-sent events, one by one. */
export class StreamReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  readonly #decoder = new TextDecoder()
  #text = ''

  constructor(readonly response: Response) {
    if (!response.body) throw new Error(`no body came with ${response.status}`)
    this.#reader = response.body.getReader()
    onTestFinished(() => this.close())
  }

  /** The next block, unparsed; undefined at the end of the stream. */
  async block(): Promise<StreamEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n')
      if (end >= 0) {
        const block = this.#text.slice(0, end)
        this.#text = this.#text.slice(end + 2)
        return parsed(block)
      }
      const { done, value } = await this.#reader.read()
      if (done) return undefined
      this.#text += this.#decoder.decode(value, { stream: true })
    }
  }

  /** The next event; undefined at the end of the stream. */
  async event(): Promise<StreamEvent | undefined> {
    for (;;) {
      const block = await this.block()
      if (!block || block.event !== undefined) return block
    }
  }

  async events(count: number): Promise<StreamEvent[]> {
    const all: StreamEvent[] = []
    while (all.length < count) {
      const event = await this.event()
      if (!event) break
      all.push(event)
    }
    return all
  }

  /** All that is left, until the other side ends the stream. */
  rest(): Promise<StreamEvent[]> {
    return this.events(Number.POSITIVE_INFINITY)
  }

  async close(): Promise<void> {
    await this.#reader.cancel().catch(() => {})
  }
}

const parsed = (block: string): StreamEvent =>
  Object.fromEntries(
    block.split('\n').map((line) => {
      const [name = '', ...rest] = line.split(': ')
      return [name === '' ? 'comment' : name, rest.join(': ')]
    }),
  )
