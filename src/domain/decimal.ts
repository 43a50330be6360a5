import BigJs from 'big.js'

export type DecimalSource = string | number | bigint | Decimal

/** Written out so that users of the library need no types of big.js. */
export interface Decimal {
  plus(other: DecimalSource): Decimal
  minus(other: DecimalSource): Decimal
  times(other: DecimalSource): Decimal
  div(other: DecimalSource): Decimal
  abs(): Decimal
  cmp(other: DecimalSource): -1 | 0 | 1
  eq(other: DecimalSource): boolean
  lt(other: DecimalSource): boolean
  lte(other: DecimalSource): boolean
  gt(other: DecimalSource): boolean
  gte(other: DecimalSource): boolean
  /** Without exponent: all digits, or this many decimals. */
  toFixed(decimals?: number, rounding?: 0 | 1 | 2 | 3): string
  toNumber(): number
  toString(): string
}

interface DecimalConstructor {
  new (value: DecimalSource): Decimal
  readonly roundDown: 0
  readonly roundHalfUp: 1
  readonly roundHalfEven: 2
  readonly roundUp: 3
}

/** big.js accepts only its own instances; the interface above is a part of them. */
export const Decimal = BigJs as unknown as DecimalConstructor
