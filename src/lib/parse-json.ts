/** Undefined for a text that is not JSON. */
export const parseIfJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
