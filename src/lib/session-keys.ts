import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto'

/** The seed of an Ed25519 key follows it (RFC 8410). */
const HEADER = Buffer.from('302e020100300506032b657004220420', 'hex')

const deriveKey = (token: string): KeyObject => {
  const seed = hash('sha256', `session/${token}`, 'buffer')
  return createPrivateKey({ key: Buffer.concat([HEADER, seed]), format: 'der', type: 'pkcs8' })
}

/** The public half of the key that signs the sessions of a token. Nobody can sign with it. */
export const sessionKey = (token: string): string =>
  createPublicKey(deriveKey(token)).export({ format: 'jwk' }).x ?? ''

export const signSession = (token: string, text: string): string =>
  sign(null, Buffer.from(text), deriveKey(token)).toString('base64url')

export const isSessionSigned = (x: string, text: string, signature: string): boolean => {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))
}
