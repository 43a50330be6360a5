import type { OperationId } from '../../generated/api-types.js'
import { parseHttpDate, parseInstant } from '../kernel/time.js'
import type { Route } from './contract.js'

export type Json = Readonly<Record<string, unknown>>

/** A request of the service and its answer, as a recording has them. */
export interface Exchange {
  /** Its place among all, by file and time. */
  readonly n: number
  /** Its place in its file, from 1. */
  readonly number: number
  readonly source: number
  readonly at: number
  readonly end: number
  readonly method: string
  readonly origin: string
  readonly path: string
  readonly query: readonly (readonly [string, string])[]
  /** Undefined for other paths and methods. */
  readonly operation: OperationId | undefined
  readonly params: Readonly<Record<string, string>>
  /** The key or what redaction left of it; undefined without one. */
  readonly key: string | undefined
  readonly contentType: string
  /** The JSON object of the request; undefined for anything else, and if it was cut. */
  readonly body: Json | undefined
  /** The recording lacks a part of the request. */
  readonly isCut: boolean
  /** Bytes of the request's body. */
  readonly size: number
  readonly status: number
  /** Undefined if it is not JSON, was cut, or has other types than the contract. */
  readonly answer: unknown
  readonly text: string
  /** The server's clock. */
  readonly date: number | undefined
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const toObject = (value: unknown): Json => (isObject(value) ? value : {})

const findHeader = (headers: unknown, name: string): string | undefined => {
  if (!Array.isArray(headers)) return undefined
  for (const header of headers) {
    const { name: found, value } = toObject(header)
    if (typeof found === 'string' && found.toLowerCase() === name && typeof value === 'string')
      return value
  }
  return undefined
}

export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A recorder that cuts a body still knows its size. */
const isCut = (size: unknown, text: string): boolean =>
  typeof size === 'number' && size > text.length && size > Buffer.byteLength(text)

const AREAS = /\/(?:payment|onboarding)\/api\/v1\/./

type Place = Pick<Exchange, 'n' | 'number' | 'source'>

/** Reads HAR entries. Undefined for entries of other services, and for malformed ones. */
export const createReader = (
  routes: readonly Route[],
): ((entry: unknown, place: Place) => Exchange | undefined) => {
  const targets = new Map<string, Target | undefined>()
  const find = (method: string, address: string) => {
    const name = `${method} ${address}`
    if (!targets.has(name)) targets.set(name, toTarget(method, address, routes))
    return targets.get(name)
  }
  return (entry, place) => {
    const { startedDateTime, time, request, response } = toObject(entry)
    const { method, url, headers, postData, bodySize } = toObject(request)
    const { status, headers: answerHeaders, content } = toObject(response)
    const at = parseInstant(String(startedDateTime))
    if (typeof method !== 'string' || typeof url !== 'string' || typeof status !== 'number')
      return undefined
    const target = find(method.toUpperCase(), url)
    if (!target || Number.isNaN(at)) return undefined
    const { text: raw } = toObject(postData)
    const body = typeof raw === 'string' ? raw : ''
    const text = answerText(content)
    return {
      ...place,
      ...target,
      at,
      end: at + (typeof time === 'number' && time > 0 ? time : 0),
      key: findHeader(headers, 'x-api-key'),
      contentType: findHeader(headers, 'content-type') ?? '',
      body: readBody(body, bodySize),
      isCut: isCut(bodySize, body),
      size: Math.max(Buffer.byteLength(body), Number(bodySize) || 0),
      status,
      answer: isCut(toObject(content).size, text) ? undefined : (parseJson(text) ?? undefined),
      text,
      date: readDate(findHeader(answerHeaders, 'date')),
    }
  }
}

type Target = Pick<Exchange, 'method' | 'origin' | 'path' | 'query' | 'operation' | 'params'>

const toTarget = (
  method: string,
  address: string,
  routes: readonly Route[],
): Target | undefined => {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const start = url?.pathname.search(AREAS) ?? -1
  if (!url || start < 0) return undefined
  const path = url.pathname.slice(start)
  const route = routes.find((it) => it.method === method && it.path.test(path))
  return {
    method,
    origin: url.origin,
    path,
    query: [...url.searchParams],
    operation: route?.operation,
    params: route?.path.exec(path)?.groups ?? {},
  }
}

const readBody = (text: string, size: unknown): Json | undefined => {
  const body = text === '' || isCut(size, text) ? undefined : parseJson(text)
  return isObject(body) ? body : undefined
}

const answerText = (content: unknown): string => {
  const { text, encoding } = toObject(content)
  if (typeof text !== 'string') return ''
  return encoding === 'base64' ? Buffer.from(text, 'base64').toString() : text
}

const readDate = (text: string | undefined): number | undefined => {
  const date = parseHttpDate(text ?? '')
  return Number.isNaN(date) ? undefined : date
}

export const isOk = ({ status }: Exchange): boolean => status === 200 || status === 201

/** The users of an answer in either form. */
export const listedUsers = (answer: unknown): readonly unknown[] => {
  const users = isObject(answer) ? answer.users : answer
  return Array.isArray(users) ? users : []
}

/** A value at a dotted path. */
export const getField = (value: unknown, path: string): unknown => {
  let found = value
  for (const name of path.split('.')) {
    if (!isObject(found) || !Object.hasOwn(found, name)) return undefined
    found = found[name]
  }
  return found
}

export const getText = (value: unknown, path: string): string | undefined => {
  const found = getField(value, path)
  return typeof found === 'string' ? found : undefined
}

/** A recorder hides the form of a value. */
export const isRedacted = (text: string): boolean => text.startsWith('redacted:')

/** Equal values have equal texts, whatever the order of their fields. */
export const canonical = (value: unknown, without: readonly string[] = [], path = ''): string => {
  if (Array.isArray(value)) return `[${value.map((it) => canonical(it)).join()}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'undefined'
  const parts = Object.keys(value)
    .sort()
    .filter((name) => !without.includes(path + name))
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name], without, `${path}${name}.`)}`)
  return `{${parts.join()}}`
}

/** An error without its values: equal causes have equal signatures, whatever the words. */
export const signature = ({ status, answer }: Exchange): string =>
  `${status} ${String(getField(answer, 'code'))} ${(getText(answer, 'message') ?? '')
    .replace(/[0-9a-f]{8}-[-0-9a-f]+/gi, '#')
    .replace(/\b[A-Z]{3}\b/g, '$')
    .replace(/[\d.,]+/g, '#')}`
