import type { AssumptionId, ReadingOf } from '../../src/assumptions/ids.js'
import type { Answer, CallOptions, Client } from '../support/client.js'
import type { OpenOptions } from '../support/open-sandbox.js'

/** The header by which a request chooses, for those that go past the client. */
export type Chosen = Readonly<Record<string, string>>

/** The effects of an assumption on the service API. */
export interface Case<Id extends AssumptionId = AssumptionId> {
  /** Looks at what a client sees. */
  readonly see: (api: Client, chosen: Chosen) => Promise<unknown>
  /** The result under each reading. */
  readonly as: { readonly [Name in ReadingOf<Id>]: unknown }
  /** Timers act for no request: only what the world chose concerns them. */
  readonly worldOnly?: true
  /** Options that make the effect visible. */
  readonly options?: OpenOptions
  /** Readings that no response can name. */
  readonly unreported?: readonly ReadingOf<Id>[]
}

/** A case with its id forgotten. */
export interface AnyCase {
  readonly see: (api: Client, chosen: Chosen) => Promise<unknown>
  readonly as: Readonly<Record<string, unknown>>
  readonly worldOnly?: true
  readonly options?: OpenOptions
  readonly unreported?: readonly string[]
}

export type Cases = { readonly [Id in AssumptionId]: Case<Id> }

/** The part of the cases that is about one area. */
export type CasesOf<Area extends string> = {
  readonly [Id in AssumptionId as Id extends `${Area}.${string}` ? Id : never]: Case<Id>
}

/** Sends a request, and gives its status, and the code of an error. */
export const outcome = async (
  api: Client,
  method: string,
  path: string,
  options?: CallOptions,
): Promise<string> => outcomeOf(await api.call(method, path, options))

export const outcomeOf = ({ status, body }: Answer): string =>
  status < 400
    ? String(status)
    : `${status} ${(body as { code?: string } | undefined)?.code ?? ''}`.trim()

export const posted = (api: Client, path: string, body: unknown): Promise<string> =>
  outcome(api, 'POST', path, { body })
