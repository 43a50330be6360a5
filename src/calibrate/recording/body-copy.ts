import { Transform, type TransformCallback } from 'node:stream'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

const MAX_DECOMPRESSED = { maxOutputLength: 8 * 1024 * 1024 }

const DECOMPRESS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes, MAX_DECOMPRESSED),
  br: (bytes) => brotliDecompressSync(bytes, MAX_DECOMPRESSED),
  deflate: (bytes) => inflateSync(bytes, MAX_DECOMPRESSED),
}

/** Passes a body on as it is, and keeps a copy of its first bytes. */
export class BodyCopy extends Transform {
  #chunks: Buffer[] = []
  #size = 0
  #isEnded = false

  constructor(readonly limit: number) {
    super()
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#size += chunk.length
    if (this.#size <= this.limit) this.#chunks.push(chunk)
    else this.#chunks = []
    done(null, chunk)
  }

  override _flush(done: TransformCallback): void {
    this.#isEnded = true
    done()
  }

  /** Bytes that passed. */
  get size(): number {
    return this.#size
  }

  /** Undefined if the copy lacks a part, or is no text. */
  text(encoding = 'identity'): string | undefined {
    if (!this.#isEnded || this.#size > this.limit) return undefined
    try {
      const bytes = Buffer.concat(this.#chunks)
      const plain = encoding === 'identity' ? bytes : DECOMPRESS[encoding.toLowerCase()]?.(bytes)
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plain)
    } catch {
      return undefined
    }
  }
}
