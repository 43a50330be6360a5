import * as z from 'zod'
import { fiatDecimals } from '../domain/currencies.js'
import { plainDecimal } from '../domain/money.js'

const forms = new WeakMap<z.ZodType, z.ZodType>()

/** Marks a schema that normalizes its value: the documents describe `form`, which is what it accepts. */
export const accepting = <S extends z.ZodType>(form: z.ZodType, schema: S): S => {
  forms.set(schema, form)
  return schema
}

export const acceptedForm = (schema: z.ZodType): z.ZodType | undefined => forms.get(schema)

/**
 * What single fields accept. Where a check fails, its message completes the sentence "accepted: …",
 * which the error body shows behind the field's path and what came.
 */

/** Any UUID in either case, read as lower case (uuid.form). */
export const uuid = () =>
  z.guid('a UUID such as 3f0c8f6e-9b1d-4c53-8a38-0a6a1c6a5d3e').toLowerCase()

const MAX_TEXT_LENGTH = 255
/** No text of a record is longer: lists and logs hold a thousand of them. */
export const MAX_TEXT = 16_384
const TOO_LONG = `text of at most ${MAX_TEXT} characters`

export const text = (longest = MAX_TEXT_LENGTH) => {
  const accepted = `text of 1 to ${longest} characters`
  const visible = `${accepted} that is not blank`
  return notBlank(z.string(accepted).max(longest, { error: accepted, abort: true }), visible)
}

/** The pattern is for the document, which cannot say all that is blank. */
const notBlank = (schema: z.ZodString, accepted: string) =>
  schema.regex(/\S/, accepted).refine((text) => !isBlank(text), accepted)

/** Whatever is neither white space, nor a control character, nor one without any width. */
const VISIBLE = /[^\s\p{Cc}\u200B-\u200D\u2060\uFEFF]/u

export const isBlank = (text: string): boolean => !VISIBLE.test(text)

const NOT_BLANK = 'text that is not blank'

/** The name of something that a world knows or not. */
const name = (accepted: string) =>
  notBlank(z.string(accepted).max(MAX_TEXT, { error: TOO_LONG, abort: true }), accepted)

export const chain = () =>
  name('the name of a chain such as ethereum, polygon, base, arbitrum, solana or tron')

export const token = () => name('the symbol of a token such as USDC or USDT')

/** Text of any kind, as long as a record can hold. */
export const anyText = () =>
  notBlank(z.string(NOT_BLANK).max(MAX_TEXT, { error: TOO_LONG, abort: true }), NOT_BLANK)

const CODE = /^[A-Z]{3}$/

/** An upper case ISO 4217 code of a currency that people are paid in (payout.currency). */
export const currency = () =>
  coded(
    CODE,
    (code) => fiatDecimals(code) !== undefined,
    'the ISO 4217 code of a currency in use such as NGN',
  )

/** Three letters in upper case, be they the code of a currency or not. */
export const anyCode = () => shaped(CODE, 'a code of three letters in upper case such as NGN')

export const isCode = (value: unknown): boolean => typeof value === 'string' && CODE.test(value)

/** A code in any case, read as upper case. */
export const inAnyCase = (code: z.ZodType) =>
  accepting(
    z.string().regex(/^[A-Za-z]{3}$/),
    z.preprocess((given) => (typeof given === 'string' ? given.toUpperCase() : given), code),
  )

export const isCurrencyInAnyCase = (value: unknown): boolean =>
  typeof value === 'string' && fiatDecimals(value.toUpperCase()) !== undefined

export const country = () =>
  coded(CODE, isCountry, 'an ISO 3166-1 country code of three letters such as NGA')

const coded = (shape: RegExp, isKnown: (code: string) => boolean, accepted: string) =>
  z.string(accepted).regex(shape, accepted).refine(isKnown, accepted)

/** Text of one shape; `accepted` says which, whatever is wrong with what came. */
const shaped = (shape: RegExp, accepted: string) => z.string(accepted).regex(shape, accepted)

const AMOUNT = 'an amount above zero as a string such as "1500.00"'
const DIGITS = /^\d+(\.\d+)?$/
/** More are not even read; how large an amount may be, and how fine, is for the world to say. */
const MAX_DIGITS = 'of at most 100 digits on either side of the point'

/** A decimal amount as text: digits, at most one point between digits, and not zero. */
export const amount = (accepted = AMOUNT) =>
  z
    .string(accepted)
    .regex(/^\d{1,100}(\.\d{1,100})?$/, {
      error: ({ input }) => (isPlain(input) ? `${accepted}, ${MAX_DIGITS}` : accepted),
    })
    .refine((text) => /[1-9]/.test(text), accepted)
    .meta({
      pattern: '^(0*[1-9]\\d*(\\.\\d+)?|0+\\.0*[1-9]\\d*)$',
      'x-contract-pattern': '^\\d+(\\.\\d+)?$',
    })

const isPlain = (value: unknown): boolean => typeof value === 'string' && DIGITS.test(value)

/** Whether it would be an amount with fewer digits. Zero never is. */
export const isLongAmount = (value: unknown): boolean =>
  isPlain(value) && /[1-9]/.test(String(value)) && !isAmountInAnyForm(value)

/** An amount with a plus, with a point at either end, or a JSON number: another writing of the same. */
const LOOSE_AMOUNT = /^\+?(\d{1,100}(\.\d{0,100})?|\.\d{1,100})$/

/** The plain writing of an amount; undefined for what is none in any writing. */
const plainAmount = (value: unknown): string | undefined => {
  const text = typeof value === 'number' ? plainDecimal(value) : value
  if (typeof text !== 'string' || !LOOSE_AMOUNT.test(text) || !/[1-9]/.test(text)) return undefined
  return text.replace('+', '').replace(/^\./, '0.').replace(/\.$/, '')
}

export const isAmountInAnyForm = (value: unknown): boolean => plainAmount(value) !== undefined

const ANY_AMOUNT = 'an amount above zero such as "1500.00" or the number 1500'

/** An amount in any writing, read as digits (payout.amount_form). */
export const anyAmount = () =>
  accepting(
    z.union([z.string().regex(/^\+?(0*[1-9]\d*(\.\d*)?|0*\.0*[1-9]\d*)$/), z.number().positive()]),
    z.preprocess((value) => plainAmount(value) ?? value, amount(ANY_AMOUNT)),
  )

export const date = () => z.iso.date('a real date as YYYY-MM-DD such as 1990-04-12')

export const phone = () =>
  shaped(/^\+[1-9]\d{6,14}$/, 'a phone number in international format such as +2348012345678')

const EMAIL = 'an email address such as ada@example.com'
const MAX_EMAIL = 254
/** Its length goes first: the pattern takes stack for each part of a name. */
export const email = () =>
  z.string(EMAIL).max(MAX_EMAIL, { error: EMAIL, abort: true }).check(z.email(EMAIL))

const INSTANT = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$'

/** ISO 8601, UTC, exactly three decimals. */
export const instant = () =>
  z.iso
    .datetime({
      precision: 3,
      error: 'a real UTC date-time with milliseconds such as 2026-01-31T09:30:00.000Z',
    })
    .meta({ pattern: INSTANT, 'x-contract-pattern': INSTANT })

const ANY_INSTANT =
  'an ISO 8601 date-time with seconds and its zone such as 2026-01-31T10:30:00+01:00'

/** ISO 8601 with any zone and any decimals, read as UTC with milliseconds. */
export const anyInstant = () =>
  z.iso
    .datetime({ offset: true, error: ANY_INSTANT })
    .transform((text) => new Date(text).toISOString())
    .refine(hasFourDigitYear, ANY_INSTANT)

/** In another year an offset may lead out of what can be written, and be compared, as text. */
const hasFourDigitYear = (text: string): boolean => /^\d{4}-/.test(text)

/** A data URI: only its label is looked at, the base64 behind it is read where it is reduced. */
const dataUri = (label: RegExp, accepted: string, longest = MAX_LABEL) =>
  z
    .string(accepted)
    .refine((uri) => label.test(uri.slice(0, longest)), accepted)
    .meta({ pattern: label.source, 'x-contract-pattern': '^data:[^,]+;base64,' })

const MAX_LABEL = 100
/** Among its parameters may be the name of a file. */
const MAX_WITH_PARAMETERS = 500

export const imageUri = () =>
  dataUri(
    /^data:image\/[a-z0-9.+-]+;base64,[A-Za-z0-9+/]/,
    'a base64 image as data URI such as data:image/png;base64,iVBORw0KGgo=',
  )

export const mediaUri = () =>
  dataUri(
    /^data:[a-z0-9]+\/[a-z0-9.+-]+;base64,[A-Za-z0-9+/]/,
    'base64 media as data URI such as data:application/pdf;base64,JVBERi0xLjQ=',
  )

const ANY_MEDIA =
  'base64 media as data URI such as data:image/PNG;name=front.png;base64,iVBORw0KGgo='

/** A data URI as RFC 2397 has it: in any case, with parameters between media type and base64. */
export const anyMediaUri = () =>
  dataUri(
    // Without the flag i, which a pattern of JSON Schema cannot have.
    /^[Dd][Aa][Tt][Aa]:[A-Za-z0-9]+\/[A-Za-z0-9.+-]+(?:;[^;,]*)*;[Bb][Aa][Ss][Ee]64,[A-Za-z0-9+/]/,
    ANY_MEDIA,
    MAX_WITH_PARAMETERS,
  )

const IMAGE_FIELDS: ReadonlySet<string> = new Set([
  'document_front',
  'document_back',
  'identity_document_front',
  'identity_document_back',
])

/** Whether a field of this name holds an image. */
export const isImageField = (name: string): boolean => IMAGE_FIELDS.has(name)

/** ISO 3166-1 alpha-3 codes of countries and territories, as officially assigned. */
const COUNTRY_CODES =
  'ABW AFG AGO AIA ALA ALB AND ARE ARG ARM ASM ATA ATF ATG AUS AUT AZE BDI BEL BEN BES BFA BGD BGR BHR ' +
  'BHS BIH BLM BLR BLZ BMU BOL BRA BRB BRN BTN BVT BWA CAF CAN CCK CHE CHL CHN CIV CMR COD COG COK COL ' +
  'COM CPV CRI CUB CUW CXR CYM CYP CZE DEU DJI DMA DNK DOM DZA ECU EGY ERI ESH ESP EST ETH FIN FJI FLK ' +
  'FRA FRO FSM GAB GBR GEO GGY GHA GIB GIN GLP GMB GNB GNQ GRC GRD GRL GTM GUF GUM GUY HKG HMD HND HRV ' +
  'HTI HUN IDN IMN IND IOT IRL IRN IRQ ISL ISR ITA JAM JEY JOR JPN KAZ KEN KGZ KHM KIR KNA KOR KWT LAO ' +
  'LBN LBR LBY LCA LIE LKA LSO LTU LUX LVA MAC MAF MAR MCO MDA MDG MDV MEX MHL MKD MLI MLT MMR MNE MNG ' +
  'MNP MOZ MRT MSR MTQ MUS MWI MYS MYT NAM NCL NER NFK NGA NIC NIU NLD NOR NPL NRU NZL OMN PAK PAN PCN ' +
  'PER PHL PLW PNG POL PRI PRK PRT PRY PSE PYF QAT REU ROU RUS RWA SAU SDN SEN SGP SGS SHN SJM SLB SLE ' +
  'SLV SMR SOM SPM SRB SSD STP SUR SVK SVN SWE SWZ SXM SYC SYR TCA TCD TGO THA TJK TKL TKM TLS TON TTO ' +
  'TUN TUR TUV TWN TZA UGA UKR UMI URY USA UZB VAT VCT VEN VGB VIR VNM VUT WLF WSM YEM ZAF ZMB ZWE'

const countries = new Set(COUNTRY_CODES.split(' '))

const isCountry = (code: string): boolean => countries.has(code)
