import type { ServerResponse } from 'node:http'
import type { Sandbox } from '../../runtime/sandbox.js'
import { ApiError } from './api-error.js'
import { ClientShares, type NameClient } from './clients.js'
import { nodeStreams, type RequestContext } from './context.js'

const MAX_STREAMS = 100
const MAX_STREAMS_PER_CLIENT = 50

export type CountStream = (c: RequestContext) => void

/** Counts a stream of a client until its response closes, or refuses it. */
export const createStreamCounter = ({ worlds }: Sandbox, nameClient: NameClient): CountStream => {
  const shares = new ClientShares(MAX_STREAMS_PER_CLIENT)
  // A request may be attempted again.
  const counted = new WeakSet<ServerResponse>()
  return (c) => {
    if (worlds.streams >= MAX_STREAMS) throw tooMany(`${MAX_STREAMS} streams`)
    const { outgoing } = nodeStreams(c)
    if (!outgoing || outgoing.closed || counted.has(outgoing)) return
    const client = nameClient(outgoing.req)
    if (!shares.take(client)) throw tooMany(`${MAX_STREAMS_PER_CLIENT} streams of one client`)
    counted.add(outgoing)
    outgoing.once('close', () => shares.take(client, -1))
  }
}

const tooMany = (streams: string): ApiError =>
  new ApiError(
    '5030',
    `${streams} are open, which is the limit. Close one, or read /_sandbox/journal.`,
  )
