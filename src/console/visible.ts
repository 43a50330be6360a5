/** Marks, embeddings, overrides and isolates of Unicode's bidirectional algorithm: none can be seen. */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** A text in which what would turn the words around it stands as an escape, as JSON would write it. */
export const visible = (text: string): string =>
  text.replace(TURNING, (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`)
