import BigJs from 'big.js'

export type BigSource = string | number | bigint | Big

/** A decimal number. Written out here, since programs see sums and need no package for their types. */
export interface Big {
  plus(other: BigSource): Big
  minus(other: BigSource): Big
  times(other: BigSource): Big
  div(other: BigSource): Big
  abs(): Big
  cmp(other: BigSource): -1 | 0 | 1
  eq(other: BigSource): boolean
  lt(other: BigSource): boolean
  lte(other: BigSource): boolean
  gt(other: BigSource): boolean
  gte(other: BigSource): boolean
  /** Its digits without exponent: all of them, or so many decimals. */
  toFixed(decimals?: number, rounding?: 0 | 1 | 2 | 3): string
  toNumber(): number
  toString(): string
}

interface BigConstructor {
  new (value: BigSource): Big
  readonly roundDown: 0
  readonly roundHalfUp: 1
  readonly roundHalfEven: 2
  readonly roundUp: 3
}

/** It takes its own kind only, of which the methods above are a part. */
export const Big = BigJs as unknown as BigConstructor
