import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { OptionError } from '../options.js'
import type { Pair } from './certificate.js'

/** The files of a certificate and its private key, in PEM form. */
export interface PairFiles {
  readonly cert: string
  readonly key: string
}

/** Reads a certificate and its key. Throws an error that names the file that cannot be used, and why. */
export const readPair = (files: PairFiles): Pair => {
  const cert = read('cert', files.cert)
  const key = read('key', files.key)
  const certificate = orRefuse(
    () => new X509Certificate(cert),
    `cert: ${files.cert} holds no certificate in PEM form`,
  )
  if (/^-----BEGIN ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(key)) {
    throw new OptionError(
      `key: ${files.key} is encrypted; accepted: a private key without passphrase`,
    )
  }
  const privateKey = orRefuse(
    () => createPrivateKey(key),
    `key: ${files.key} holds no private key in PEM form`,
  )
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new OptionError(`key: ${files.key} is not the key of the certificate in ${files.cert}`)
  }
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    throw new OptionError(`cert: ${files.cert} cannot be served: ${(error as Error).message}`)
  }
  return { cert, key }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
}

const read = (option: 'cert' | 'key', file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new OptionError(`${option}: ${file} cannot be read: ${REASONS[code] ?? message}`)
  }
}

const orRefuse = <T>(make: () => T, refusal: string): T => {
  try {
    return make()
  } catch {
    throw new OptionError(refusal)
  }
}
