import { isIP } from 'node:net'
import { generate } from 'selfsigned'
import { machineClock } from '../../lib/machine-clock.js'

/** A certificate and its private key, as PEM texts. */
export interface KeyPair {
  readonly cert: string
  readonly key: string
}

const DAY_MS = 24 * 60 * 60 * 1000
/** It is valid for a year and begins a day ago, for clocks that are behind. */
const DAYS_BEHIND = 1
const DAYS_AHEAD = 364

const OWN_NAMES = ['localhost', '127.0.0.1', '::1']
const EVERY_INTERFACE = ['0.0.0.0', '::']

/**
 * Creates a self-signed certificate for this machine and the host that is listened on. It cannot sign
 * others, so trusting it trusts this one server.
 */
export const generateKeyPair = async (host: string): Promise<KeyPair> => {
  const now = machineClock()
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - DAYS_BEHIND * DAY_MS),
    notAfterDate: new Date(now + DAYS_AHEAD * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: listNames(host).map(altName) },
    ],
  })
  return { cert: made.cert, key: made.private }
}

const listNames = (host: string): string[] => {
  // The zone of an address, such as %eth0 in fe80::1%eth0, is local to this machine.
  const [name = ''] = host.toLowerCase().split('%', 1)
  return EVERY_INTERFACE.includes(name) ? OWN_NAMES : [...new Set([...OWN_NAMES, name])]
}

const altName = (name: string) =>
  isIP(name) === 0 ? { type: 2 as const, value: name } : { type: 7 as const, ip: name }
