/** Operations with an idempotent id, and the field of that id. */
const ID_FIELDS: Readonly<Record<string, string>> = {
  createPayout: 'customer_payout_id',
  createCustodyWallet: 'customer_wallet_ref',
}

export interface RepeatableId {
  readonly operation: string
  readonly field: string
  readonly id: string
}

/** The idempotent id of a request; undefined for operations without one and for unusable bodies. */
export const repeatableId = (
  operation: string | null | undefined,
  body: unknown,
): RepeatableId | undefined => {
  const field = ID_FIELDS[operation ?? '']
  if (!operation || field === undefined) return undefined
  const { [field]: id } = Object(body) as Readonly<Record<string, unknown>>
  return typeof id === 'string' ? { operation, field, id: id.toLowerCase() } : undefined
}
