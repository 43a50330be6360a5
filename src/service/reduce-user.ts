import { createHash } from 'node:crypto'
import type { UserRequest } from '../contract/user.js'
import { invalid } from '../http/wire-error.js'
import type { ImageDigest, UserDocument, UserInput } from '../world/users.js'

/** The world's input out of a request: every image becomes its media type, size and hash. */
export const reduceUser = (request: UserRequest): UserInput => {
  const { identity, address, documents, metadata, ...person } = request
  return {
    ...person,
    identity_country_code: identity.identity_country_code,
    documents: [...identitySides(identity), ...(documents ?? []).flatMap(documentSides)],
    address: { ...address, line2: address.line2 ?? null, region: address.region ?? null },
    metadata: metadata ?? null,
  }
}

const identitySides = (identity: UserRequest['identity']): UserDocument[] => {
  const side = (type: string, image: ImageDigest): UserDocument => ({
    name: identity.identity_document_name,
    type,
    issuing_country: identity.identity_country_code,
    document_number: identity.identity_number,
    image,
  })
  const { identity_document_front: front, identity_document_back: back } = identity
  return [
    side('identity_front', reduceImage(front, 'identity.identity_document_front')),
    side('identity_back', reduceImage(back, 'identity.identity_document_back')),
  ]
}

/** One item per uploaded side, each with the type given (reading user.documents). */
const documentSides = (
  document: NonNullable<UserRequest['documents']>[number],
  index: number,
): UserDocument[] => {
  const { name, type, issuing_country, document_number, document_front, document_back } = document
  const side = (uri: string, field: string): UserDocument => ({
    name,
    type,
    issuing_country,
    document_number,
    image: reduceImage(uri, `documents.${index}.${field}`),
  })
  const front = side(document_front, 'document_front')
  return document_back ? [front, side(document_back, 'document_back')] : [front]
}

const reduceImage = (uri: string, field: string): ImageDigest => {
  const comma = uri.indexOf(',')
  const base64 = uri.slice(comma + 1)
  const bytes = Buffer.from(base64, 'base64')
  // Decoding skips what is not base64, so a shorter result tells of it; - and _ it reads as + and /.
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  const isWhole = base64.length % 4 === 0 && bytes.length === (base64.length / 4) * 3 - padding
  if (!isWhole || /[-_]/.test(base64)) {
    throw invalid(`${field}: what follows "base64," is not base64; accepted: RFC 4648 with padding`)
  }
  return {
    media_type: uri.slice('data:'.length, uri.indexOf(';')),
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }
}
