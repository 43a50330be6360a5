import { closeSync, openSync, writeFileSync } from 'node:fs'

export interface HarWriter {
  readonly append: (entry: object) => void
  /** Returns the number of entries, and whether the file has all of them. */
  readonly close: () => { readonly count: number; readonly complete: boolean }
}

/** One entry a line: a recorder that is killed leaves a file that lacks only its end. */
export const openHar = (file: string, about: object, version: string): HarWriter => {
  const out = openSync(file, 'w', 0o600)
  let count = 0
  let complete = true
  const write = (text: string) => {
    try {
      writeFileSync(out, text)
    } catch {
      complete = false
    }
  }
  const creator = JSON.stringify({ name: 'sandramp', version })
  write(`{"log":{"version":"1.2","creator":${creator},"entries":[`)
  return {
    append: (entry) => write(`${count++ === 0 ? '' : ','}\n${JSON.stringify(entry)}`),
    close: () => {
      write(`\n],"_sandramp":${JSON.stringify({ complete, ...about })}}}\n`)
      closeSync(out)
      return { count, complete }
    },
  }
}
