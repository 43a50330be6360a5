/** The first line with which a text is no beginning of any JSON. */
export const brokenLine = (text: string): number => {
  const lines = text.split('\n')
  let low = 1
  let high = lines.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBeginning(lines.slice(0, middle).join('\n'))) low = middle + 1
    else high = middle
  }
  return low
}

const isBeginning = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const why = String(error)
    return /end of JSON input/.test(why) || why.includes(`at position ${text.length}`)
  }
}

/** Why JSON.parse took a text for none, on one line: the reason quotes what stands there, line breaks and all. */
export const whyNoJson = (error: unknown): string => (error as Error).message.replace(/\s+/g, ' ')
