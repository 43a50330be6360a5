import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { generateKeyPair, type KeyPair } from '../../src/http/transport/certificate.js'
import { tlsFetch } from '../support/tls-fetch.js'
import { runHere } from './run-in-process.js'
import { makeFolder, startCli } from './sandramp.js'

let pair: KeyPair
beforeAll(async () => {
  pair = await generateKeyPair('localhost')
})

const START = ['--port', '0', '--log', 'silent', '--tls']

test('the banner shows the certificate, which clients can trust until the sandbox ends', async () => {
  const { child, printed, ended } = startCli(START)
  const url = await printed(/^sandramp listening on (https:\S+)$/m)
  const file = await printed(/^ {2}certificate (\S+\/sandramp-localhost\.pem)$/m)
  await printed(/_sandbox\/transfers\n/)
  const answer = await tlsFetch(`${url}/_sandbox/health`, { ca: readFileSync(file, 'utf8') })
  expect(answer).toMatchObject({ status: 200, authorized: true })
  child.kill('SIGTERM')
  const { code, stdout, stderr } = await ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const tries = stdout.split('\n').filter((line) => line.startsWith('    curl'))
  expect(tries).toEqual([
    expect.stringContaining(`curl --cacert ${file} -H 'x-api-key: `),
    `    curl --cacert ${file} ${url}/_sandbox/transfers`,
  ])
  expect(existsSync(file)).toBe(false)
})

test('--cert is served, and the banner does not show it', async () => {
  const folder = makeFolder({ 'cert.pem': pair.cert, 'key.pem': pair.key })
  const given = ['--cert', 'cert.pem', '--key', 'key.pem']
  const { child, printed, ended } = startCli([...START, ...given], folder)
  const url = await printed(/^sandramp listening on (https:\S+)$/m)
  const answer = await tlsFetch(`${url}/_sandbox/health`, { ca: pair.cert })
  expect(answer.authorized).toBe(true)
  child.kill('SIGINT')
  const { code, stdout } = await ended
  expect(code).toBe(0)
  expect(stdout).not.toContain('certificate')
  expect(stdout).not.toContain('--cacert')
})

describe('start rejects a certificate', () => {
  test.each([
    [
      'cert.pem',
      'none.pem',
      'sandramp: --key: none.pem cannot be read: there is no such file. Expected a file in PEM form.\n',
    ],
    [
      'cert.pem',
      'other.pem',
      'sandramp: --key: other.pem is not the key of the certificate in cert.pem\n',
    ],
  ])('with %s and %s', async (cert, key, message) => {
    const other = (await generateKeyPair('localhost')).key
    const folder = makeFolder({ 'cert.pem': pair.cert, 'other.pem': other })
    expect(existsSync(join(folder, cert))).toBe(true)
    const ran = await runHere([...START, '--cert', cert, '--key', key], folder)
    expect(ran).toEqual({ code: 2, stdout: '', stderr: message })
  })

  test('without a key', async () => {
    const { code, stderr } = await runHere([...START, '--cert', 'cert.pem'])
    expect(code).toBe(2)
    expect(stderr).toContain(
      'sandramp: --cert was given without --key. Expected both or neither.\n',
    )
  })
})
