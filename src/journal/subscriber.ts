/** What a feed wakes as its journal grows. */
export interface Subscriber {
  readonly body: ReadableStream<Uint8Array>
  /** Something may have come. */
  wake(): void
  /** A sign of life is due. */
  beat(): void
  /** Closes it with a last event that tells why. */
  end(event: string, data: object): void
}
