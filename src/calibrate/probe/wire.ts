import { setTimeout as sleep } from 'node:timers/promises'
import { machineClock } from '../../lib/machine-clock.js'
import { parseJson } from '../exchange.js'
import type { ProbeRequest } from './plan.js'
import { nameAgent, type ProbeAnswer, type Wire } from './run.js'

/** Two requests a second. */
const PAUSE_MS = 500
const OVERLAP_MS = 20
const TIMEOUT_MS = 60_000

interface Settings {
  /** Of the recorder, which reaches the service. */
  readonly port: number
  readonly run: string
  readonly keys: { readonly full: string; readonly read_only?: string | undefined }
  readonly isOver: () => boolean
}

export const createWire = ({ port, run, keys, isOver }: Settings): Wire => {
  const post = async (
    { method, path, body, padding = 0, isReadOnly }: ProbeRequest,
    step: number,
  ): Promise<ProbeAnswer> => {
    try {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: {
          'x-api-key': (isReadOnly && keys.read_only) || keys.full,
          'user-agent': nameAgent(run, step),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) + ' '.repeat(padding) }),
      })
      return { status: response.status, body: parseJson(await response.text()) }
    } catch {
      return { status: 0, body: undefined }
    }
  }
  let last = 0
  const pace = async () => {
    await sleep(Math.max(0, last + PAUSE_MS - machineClock()))
    last = machineClock()
  }
  return {
    send: async (request, step) => {
      await pace()
      return post(request, step)
    },
    sendTwice: async (request, step) => {
      await pace()
      const first = post(request, step)
      await sleep(OVERLAP_MS)
      await post(request, step)
      return first
    },
    now: machineClock,
    isOver,
  }
}
