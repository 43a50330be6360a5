import { NOBODY, PLAN, type ProbeRequest, type StepKind } from '../../src/calibrate/probe/plan.js'
import { runProbe, startProgress, type Wire } from '../../src/calibrate/probe/run.js'
import { toValues } from '../../src/calibrate/probe/values.js'
import { account, P, READ_KEY, type Service, user } from './recorded-service.js'

/** Two equal requests at once: the service holds the first one for 400 ms. */
const overlap = async ({ call, sandbox, held }: Service, { path, body }: ProbeRequest) => {
  const operation = path === `${P}/payout` ? 'createPayout' : 'createCustodyWallet'
  const rule = {
    when: 'request',
    if: { operation },
    limit: 1,
    then: [{ hold: { before: 'commit', for: '400ms' } }],
  }
  await sandbox.fetch('/_sandbox/scenarios?activate=true', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: operation.toLowerCase(), title: 'Overlap', rules: [rule] }),
  })
  const turns = async (isOver: () => boolean) => {
    for (let i = 0; i < 40 && !isOver(); i++) await new Promise((go) => setImmediate(go))
  }
  const first = call('POST', path, body, { step: '1s', time: 405 })
  await turns(() => held.length > 0)
  const second = call('POST', path, body, { step: '100ms' })
  let isEarly = false
  void second.then(() => {
    isEarly = true
  })
  await turns(() => isEarly)
  const wasEarly = isEarly
  for (const go of held.splice(0)) go()
  await first
  const answer = await second
  answer.entry.time = wasEarly ? 12 : 330
  return answer
}

const toWire = (service: Service): Wire => ({
  send: ({ method, path, body, padding, isReadOnly }) =>
    service.call(method, path, body, {
      ...(isReadOnly && { key: READ_KEY }),
      ...(padding && { raw: JSON.stringify(body) + ' '.repeat(padding) }),
    }),
  sendTwice: (request) => overlap(service, request),
  now: () => Date.parse(service.sandbox.now),
  isOver: () => false,
})

/** Each call of `resume` runs what is due. */
export const startProbe = (service: Service, kinds: readonly StepKind[]) => {
  const wire = toWire(service)
  const progress = startProgress(toValues(service.facts, service.run, wire.now()))
  const steps = PLAN.filter(({ kind }) => kinds.includes(kind))
  const resume = () => runProbe(steps, progress, wire, Number.POSITIVE_INFINITY)
  return { resume, progress }
}

/** The probe, with the deposits, the moves of a rate and the waits of an operator. */
export const probeAll = async (service: Service): Promise<void> => {
  const { call, sandbox, facts } = service
  const { resume, progress } = startProbe(service, ['read', 'write', 'payout'])
  await resume()
  const answer = await call('POST', `${P}/offramp`, { user_id: user(1), account_id: account(1) })
  const { address, crypto, chain } = answer.body as { [name: string]: string }
  const send = (amount: number) => {
    if (!address || !crypto || !chain) throw new TypeError('no address')
    facts.deposits.push({ address, crypto, chain, amount, at: sandbox.now })
    const { transfer_id } = sandbox.run('deposit.receive', { address, amount: String(amount) })
    progress.values.set('deposits.transfer', transfer_id)
    return transfer_id ?? NOBODY
  }
  const look = (id: string) => call('GET', `${P}/fx-audit/status/${id}`)
  sandbox.advance('30m')
  await resume()
  sandbox.advance('2s')
  const first = send(100.1)
  await call('GET', `${P}/offramp-audit/crypto-balance/${crypto}/${chain}/${user(1)}`)
  await look(first)
  await sandbox.fetch('/_sandbox/rates', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ base: 'USD', quote: 'EUR', rate: '0.86' }),
  })
  facts.rate_moves = [{ currency: 'EUR', at: sandbox.now }]
  sandbox.advance('1s')
  await look(send(100.02))
  sandbox.advance('10s')
  await look(first)
  await resume()
  send(5)
  sandbox.advance('1m')
  await resume()
  sandbox.advance('2h')
  await resume()
  sandbox.advance('25h')
  await resume()
}
