import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get } from 'node:https'
import { expect, test } from 'vitest'
import { createSandbox } from '../../../src/index.js'

test('a client that trusts the certificate gets a response', async () => {
  const sandbox = await createSandbox()
  const { url, certificate = '' } = await sandbox.listen({ tls: true })
  const request = get(`${url}/_sandbox/health`, { ca: readFileSync(certificate) })
  const [response] = await once(request, 'response')
  expect(response.resume().statusCode).toBe(200)
  await sandbox.close()
})
