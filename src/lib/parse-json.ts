import { escapeInvisible } from './text.js'

/** Undefined for a text that is not JSON. */
export const parseIfJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The parser quotes a part of the text, which may have line breaks and control characters. */
export const jsonErrorMessage = (error: unknown): string =>
  escapeInvisible((error as Error).message.replace(/\s+/g, ' '))
