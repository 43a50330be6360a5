import { expect, test } from 'vitest'
import { isMaskedAlike, maskNumber, starNumber } from './masked-numbers.js'

const IBAN = 'DE89370400440532013000'
const NUMBERS = [...IBAN].flatMap((_, i) => [IBAN.slice(0, i + 1), '0123456789012'.slice(0, i)])

test.each([...NUMBERS, ' 3192 6819 ', '31 92', '1 2 3', '😀😀😀😀'])(
  'it is known of %j whether it is masked alike in both ways',
  (number) => expect(isMaskedAlike(number)).toBe(maskNumber(number) === starNumber(number)),
)
