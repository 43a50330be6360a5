import { connect } from 'node:net'
import { setImmediate as turn } from 'node:timers'
import { afterEach, beforeEach, test, vi } from 'vitest'
import { createSandbox } from '../src/index.js'
import { dataFile } from './support/data-folder.js'
import { keys, users } from './support/fixture-ids.js'

// Test runners fake them for the code under test; the sandbox beside it has to go on.
vi.setConfig({ testTimeout: 20_000 })
beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const credit = { user_id: users.ada, currency: 'USD', amount: '5.00' }

test('what a program did is kept while timers are faked', async () => {
  const sandbox = await createSandbox({ data: dataFile() })
  sandbox.run('balance.credit', credit)
  await sandbox.flushed()
  await sandbox.close()
})

test('a stream goes on while timers are faked', async () => {
  const sandbox = await createSandbox({ clock: 'manual' })
  const { body } = await sandbox.fetch('/_sandbox/journal/stream')
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let heard = ''
  const listen = async () => {
    while (!heard.includes('balance.credit')) heard += (await reader?.read())?.value ?? ''
  }
  const listening = listen()
  await new Promise(turn)
  sandbox.run('balance.credit', credit)
  await listening
  await sandbox.close()
})

test('closing ends a request that never comes to its end while timers are faked', async () => {
  const sandbox = await createSandbox({ clock: 'manual' })
  const { port } = new URL((await sandbox.listen()).url)
  const socket = connect(Number(port), '127.0.0.1')
  const ended = new Promise((resolve) => socket.once('close', resolve))
  socket.write('POST /onboarding/api/v1/tnc HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n')
  socket.write(`x-api-key: ${keys.full}\r\ncontent-type: application/json\r\n`)
  socket.write('expect: 100-continue\r\n\r\n')
  await new Promise((resolve) => socket.once('data', resolve))
  await sandbox.close()
  await ended
})
