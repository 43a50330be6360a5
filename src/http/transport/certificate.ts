import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { generate } from 'selfsigned'
import { machineClock } from '../../lib/machine-clock.js'
import { explainFileError, FileError, readBytes } from '../../lib/read-file.js'
import { OptionError } from '../../runtime/options.js'

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

export interface PairFiles {
  readonly cert: string
  readonly key: string
}

/** Reads a certificate and its key. Throws an error that names the unusable file and the reason. */
export const readKeyPair = (files: PairFiles): KeyPair => {
  const cert = read('cert', files.cert)
  const key = read('key', files.key)
  const certificate = orRefuse(
    () => new X509Certificate(cert),
    new OptionError(`${files.cert} holds no certificate in PEM form`, 'cert'),
  )
  if (/^-----BEGIN ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(key)) {
    const problem = `${files.key} is encrypted`
    throw new OptionError({ problem, expected: 'a private key without passphrase' }, 'key')
  }
  const privateKey = orRefuse(
    () => createPrivateKey(key),
    new OptionError(`${files.key} holds no private key in PEM form`, 'key'),
  )
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new OptionError(`${files.key} is not the key of the certificate in ${files.cert}`, 'key')
  }
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    throw new OptionError(`${files.cert} cannot be served: ${(error as Error).message}`, 'cert')
  }
  return { cert, key }
}

const read = (option: 'cert' | 'key', file: string): string => {
  try {
    return readBytes(file, 'a file in PEM form').toString()
  } catch (error) {
    throw error instanceof FileError ? new OptionError(error.message, option) : error
  }
}

const orRefuse = <T>(make: () => T, refusal: OptionError): T => {
  try {
    return make()
  } catch {
    throw refusal
  }
}

export interface TrustFile {
  readonly path: string
  remove(): void
}

/** Writes a certificate into a folder of its own, which is removed with the process at the latest. */
export const writeTrustFile = (cert: string): TrustFile => {
  try {
    return write(cert)
  } catch (error) {
    const problem = `${tmpdir()} cannot be written: ${explainFileError(error)}`
    const expected = 'a temporary folder for the certificate that is made, or one of your own'
    throw new OptionError({ problem, expected }, 'tls')
  }
}

const write = (cert: string): TrustFile => {
  const folder = mkdtempSync(join(tmpdir(), 'sandramp-'))
  const remove = () => {
    process.off('exit', remove)
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', remove)
  const path = join(folder, 'sandramp-localhost.pem')
  writeFileSync(path, cert, { mode: 0o600 })
  return { path, remove }
}
