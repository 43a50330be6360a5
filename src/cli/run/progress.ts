import { stripVTControlCharacters } from 'node:util'
import { machineClock } from '../../lib/machine-clock.js'

/** The used part of `process.stderr`. */
interface Screen {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  write(text: string): unknown
}

export interface Progress {
  start(total: number, what: string): void
  done(name: string, hasFailed: boolean): void
  end(): void
}

const BAR = 24
const CLEAR = '\r\u001b[2K'

/** A bar on a terminal; elsewhere one line per finished run. */
export const progressOn = (screen: Screen): Progress => {
  let total = 0
  let count = 0
  let failed = 0
  let startedAt = 0
  const show = (line: string): void => {
    screen.write(`${CLEAR}${line.slice(0, (screen.columns ?? 80) - 1)}`)
  }
  const draw = (name: string): void => {
    const full = Math.round((BAR * count) / total)
    const bar = `${'█'.repeat(full)}${'░'.repeat(BAR - full)}`
    const left_s = Math.round(((machineClock() - startedAt) * (total - count)) / count / 1_000)
    const left = left_s > 0 ? `  ${left_s} s left` : ''
    show(`${bar}  ${count}/${total}  ${failed} failed${left}  ${name}`)
  }
  return {
    start: (of, what) => {
      total = of
      startedAt = machineClock()
      if (screen.isTTY) show(what)
      else screen.write(`${what}\n`)
    },
    done: (name, hasFailed) => {
      count++
      if (hasFailed) failed++
      if (screen.isTTY) draw(name)
      else screen.write(`${count}/${total}  ${name}  ${hasFailed ? 'FAILED' : 'passed'}\n`)
    },
    end: () => {
      if (screen.isTTY) screen.write(CLEAR)
    },
  }
}

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
