import * as z from 'zod'
import type { Readings } from '../assumptions/use.js'
import { fiatDecimals } from '../domain/currencies.js'
import { inContract } from './provenance.js'
import type { ReadingSource } from './schema-variants.js'

/** Schemas of single fields. A message completes the sentence "Expected …". */

/** Any case and version; normalized to lower case. */
export const uuid = () =>
  z.guid('a UUID such as 3f0c8f6e-9b1d-4c53-8a38-0a6a1c6a5d3e').toLowerCase()

const MAX_TEXT_LENGTH = 255
/** Limits records, because lists and logs hold thousands of them. */
export const MAX_TEXT = 16_384
const TOO_LONG = `text of at most ${MAX_TEXT} characters`

export const text = (longest = MAX_TEXT_LENGTH) => {
  const accepted = `text of 1 to ${longest} characters`
  const visible = `${accepted} that is not blank`
  return notBlank(z.string(accepted).max(longest, { error: accepted, abort: true }), visible)
}

/** The pattern is for the document; the check covers all blank characters. */
const notBlank = (schema: z.ZodString, accepted: string) =>
  withoutControls(schema.regex(/\S/, accepted).refine((text) => !isBlank(text), accepted))

/** Most texts consist of these, and this test is faster than the search for odd characters. */
const PLAIN = /^[ -~]*$/
/** Control characters and lone surrogates. With the u flag, a whole surrogate pair is one character. */
const ODD = /(?![\t\n\r])[\p{Cc}\p{Cs}]/u
const WITHOUT_CONTROLS =
  'text without control characters other than tabs and line breaks, and without halves of surrogate pairs'

export const withoutControls = (schema: z.ZodString) =>
  schema.superRefine((text, context) => {
    const [character] = (PLAIN.test(text) ? null : ODD.exec(text)) ?? []
    // A text that breaks another rule has its complaint.
    if (character === undefined || context.issues.length > 0) return
    const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
    const received = `a text with U+${code}`
    context.addIssue({ code: 'custom', message: WITHOUT_CONTROLS, params: { received } })
  })

/** Excludes white space, control characters and zero-width characters. */
const VISIBLE = /[^\s\p{Cc}\u200B-\u200D\u2060\uFEFF]/u

const isBlank = (text: string): boolean => !VISIBLE.test(text)

/** A name that a world may not know. */
const name = (accepted: string) =>
  notBlank(z.string(accepted).max(MAX_TEXT, { error: TOO_LONG, abort: true }), accepted)

export const chain = () =>
  name('the name of a chain such as ethereum, polygon, base, arbitrum, solana or tron')

export const token = () => name('the symbol of a token such as USDC or USDT')

const CODE = /^[A-Z]{3}$/

/** Upper case ISO 4217 codes. */
export const currency = () =>
  codeField(
    CODE,
    (code) => fiatDecimals(code) !== undefined,
    'the ISO 4217 code of a currency in use such as NGN',
  )

export const country = () =>
  codeField(CODE, isCountry, 'an ISO 3166-1 country code of three letters such as NGA')

const codeField = (shape: RegExp, isKnown: (code: string) => boolean, accepted: string) =>
  z.string(accepted).regex(shape, accepted).refine(isKnown, accepted)

/** Every failure has the same message. */
const textField = (shape: RegExp, accepted: string) => z.string(accepted).regex(shape, accepted)

const AMOUNT = 'an amount above zero as a string such as "1500.00"'
const DIGITS = /^\d+(\.\d+)?$/
/** A limit for parsing; the world decides how large and how fine an amount may be. */
const MAX_DIGITS = 'of at most 100 digits on either side of the point'

/** Digits with at most one point between them, above zero. */
export const amount = (accepted = AMOUNT) =>
  z
    .string(accepted)
    .regex(/^\d{1,100}(\.\d{1,100})?$/, {
      error: ({ input }) => (isPlain(input) ? `${accepted}, ${MAX_DIGITS}` : accepted),
    })
    .refine((text) => /[1-9]/.test(text), accepted)
    .meta({ pattern: '^(0*[1-9]\\d*(\\.\\d+)?|0+\\.0*[1-9]\\d*)$' })

const isPlain = (value: unknown): boolean => typeof value === 'string' && DIGITS.test(value)

export const date = () => z.iso.date('a real date as YYYY-MM-DD such as 1990-04-12')

export const phone = () =>
  textField(/^\+[1-9]\d{6,14}$/, 'a phone number in international format such as +2348012345678')

const EMAIL = 'an email address such as ada@example.com'
const MAX_EMAIL = 254
/** Checks the length first: the pattern needs stack for each part of a name. */
export const email = () =>
  z.string(EMAIL).max(MAX_EMAIL, { error: EMAIL, abort: true }).check(z.email(EMAIL))

const INSTANT = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$'

/** ISO 8601 in UTC with exactly three decimals. */
export const instant = () => {
  const error = 'a real UTC date-time with milliseconds such as 2026-01-31T09:30:00.000Z'
  const schema = z.iso.datetime({ precision: 3, error }).meta({ pattern: INSTANT })
  return inContract(schema, { pattern: INSTANT })
}

/** Checks only the label, in which `[/]` keeps the document without `\/`. The handler decodes the base64. */
const dataUri = (label: RegExp, accepted: string, longest = MAX_LABEL) =>
  z
    .string(accepted)
    .refine((uri) => label.test(uri.slice(0, longest)), accepted)
    .meta({ pattern: label.source })

const MAX_LABEL = 100

export const imageUri = () =>
  dataUri(
    /^data:image[/][a-z0-9.+-]+;base64,[A-Za-z0-9+/]/,
    'a base64 image as data URI such as data:image/png;base64,iVBORw0KGgo=',
  )

export const mediaUri = () =>
  dataUri(
    /^data:[a-z0-9]+[/][a-z0-9.+-]+;base64,[A-Za-z0-9+/]/,
    'base64 media as data URI such as data:application/pdf;base64,JVBERi0xLjQ=',
  )

/** time.form decides the form. */
export const formatTime = (at: string, readings: Readings): string => {
  switch (readings.time.form) {
    case 'milliseconds':
      return at
    case 'seconds':
      return `${at.slice(0, SECONDS_END)}Z`
    case 'offset':
      return `${at.slice(0, -1)}+00:00`
  }
}

export const timeAs = (mayRead: ReadingSource) =>
  z.iso.datetime({ offset: mayRead('time.form', 'offset') })

const SECONDS_END = '2026-06-15T09:00:00'.length

/** ISO 3166-1 alpha-3, as officially assigned. */
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
