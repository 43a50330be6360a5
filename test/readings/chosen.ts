import { expect } from 'vitest'
import { Client } from '../support/client.js'

/** A client that sends the same header with every call, and remembers what its answers relied on. */
export const choosing = (api: Client, reading: string | undefined) => {
  const reported = new Set<string>()
  const client = new Client(api.sandbox, async (path, init) => {
    const headers = {
      ...(init.headers as Record<string, string>),
      ...(reading === undefined ? {} : { 'x-sandbox-reading': reading }),
    }
    const response = await api.carry(path, { ...init, headers })
    for (const it of (response.headers.get('x-sandbox-assumed') ?? '').split(', ')) reported.add(it)
    return response
  })
  return { client, reported }
}

/** Lets the world itself read it so. */
export const choose = async (api: Client, id: string, reading: string): Promise<void> => {
  const path = `/_sandbox/assumptions/${id}`
  const answer = await api.call<{ active: string }>('PATCH', path, { body: { reading } })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  expect(answer.body.active).toBe(reading)
}
