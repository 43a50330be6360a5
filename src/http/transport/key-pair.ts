import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { FileError, readBytes } from '../../lib/read-file.js'
import { OptionError } from '../../runtime/options.js'
import type { KeyPair } from './certificate.js'

/** The files of a certificate and its private key, in PEM form. */
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
