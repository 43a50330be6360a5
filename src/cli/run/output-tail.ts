import { stripVTControlCharacters } from 'node:util'

const MAX_CHARS = 64 * 1024
const MAX_LINES = 20

/** Keeps the end of a command's output. */
export const outputTail = () => {
  const decoder = new TextDecoder()
  let kept = ''
  return {
    onOutput: (chunk: Buffer): void => {
      kept = (kept + decoder.decode(chunk, { stream: true })).slice(-MAX_CHARS)
    },
    /** The last lines, without escape sequences. */
    text: (): string => {
      const text = stripVTControlCharacters(kept).replace(/\r\n?/g, '\n')
      return text.trimEnd().split('\n').slice(-MAX_LINES).join('\n')
    },
  }
}
