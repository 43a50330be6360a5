import { createHash } from 'node:crypto'
import type { Readings } from '../../assumptions/use.js'
import type { UserRequest } from '../../contract/user.js'
import type { ImageDigest, UserDocument } from '../../domain/schema.js'
import { assertImageSize, type UserInput } from '../../domain/users.js'
import { invalidValue, inWords } from '../../lib/app-error.js'

/** Replaces each image by its media type, size and hash. */
export const digestImages = (request: UserRequest, readings: Readings): UserInput => {
  const { identity, address, documents, metadata = null, ...person } = request
  return {
    ...person,
    identity_country_code: identity.identity_country_code,
    documents: [
      ...identitySides(identity, readings),
      ...(documents ?? []).flatMap((document, index) =>
        splitDocumentSides(document, index, readings),
      ),
    ],
    address: { ...address, line2: address.line2 ?? null, region: address.region ?? null },
    metadata,
  }
}

type Documents = NonNullable<UserRequest['documents']>

const identitySides = (identity: UserRequest['identity'], readings: Readings): UserDocument[] => {
  const side = (name: 'front' | 'back'): UserDocument => ({
    name: identity.identity_document_name,
    type: `identity_${name}`,
    issuing_country: identity.identity_country_code,
    document_number: identity.identity_number,
    image: digestImage(
      identity[`identity_document_${name}`],
      `identity.identity_document_${name}`,
      readings,
    ),
  })
  return [side('front'), side('back')]
}

/** One item per uploaded side. */
const splitDocumentSides = (
  document: Documents[number],
  index: number,
  readings: Readings,
): UserDocument[] => {
  const { name, type, issuing_country, document_number, document_front, document_back } = document
  const side = (uri: string, field: string): UserDocument => ({
    name,
    type,
    issuing_country,
    document_number,
    image: digestImage(uri, `documents.${index}.${field}`, readings),
  })
  const front = side(document_front, 'document_front')
  return document_back ? [front, side(document_back, 'document_back')] : [front]
}

const digestImage = (uri: string, field: string, readings: Readings): ImageDigest => {
  const comma = uri.indexOf(',')
  const base64 = uri.slice(comma + 1)
  const bytes = Buffer.from(base64, 'base64')
  // Buffer skips invalid characters, so a shorter result shows them. It reads - and _ as + and /.
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  const isWhole = base64.length % 4 === 0 && bytes.length === (base64.length / 4) * 3 - padding
  if (!isWhole || /[-_]/.test(base64)) {
    throw invalidValue(
      field,
      inWords('other text than base64 after "base64,"'),
      'RFC 4648 with padding',
    )
  }
  assertImageSize(readings, bytes.length, field)
  return {
    media_type: uri.slice('data:'.length, uri.indexOf(';')),
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }
}
