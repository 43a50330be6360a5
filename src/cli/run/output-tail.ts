/** What is kept of what a command prints, in characters. */
const MAX_BYTES = 64 * 1024
const MAX_LINES = 20

export interface Output {
  readonly hear: (chunk: Buffer) => void
  /** The last lines, without colours and other controls of a terminal. */
  readonly text: () => string
}

/** Keeps the end of what a command prints. */
export const outputTail = (): Output => {
  const decoder = new TextDecoder()
  let kept = ''
  return {
    hear: (chunk) => {
      kept = (kept + decoder.decode(chunk, { stream: true })).slice(-MAX_BYTES)
    },
    text: () => plain(kept).trimEnd().split('\n').slice(-MAX_LINES).join('\n'),
  }
}

const plain = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it takes out
    .replace(/\u001b\[[0-9;?]*[ -/]*[@-~]|[\0-\x08\x0b-\x1f\x7f]/g, '')
