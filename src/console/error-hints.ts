/** What the contract's own messages mean here: they are its words, and say little. */
const HINTS: Readonly<Record<string, string>> = {
  '4030': 'No x-api-key header came.',
  '4100': 'A key is 32 characters long, each of A-Z, a-z and 0-9; the one that came is not.',
  '4101': 'It has the form of a key, but this sandbox knows none like it.',
  '4102': 'The key has expired by the time of its world, which may have been moved.',
  '4103': 'The key is suspended or deactivated.',
  '4300': 'The key is one for reading only, and has no permission for this call.',
}

export const findHint = (code: unknown): string | undefined =>
  typeof code === 'string' ? HINTS[code] : undefined
