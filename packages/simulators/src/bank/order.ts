import { type BrandCode, isBrand, isCurrency, parseUrl } from '@tollgate/contract'
import { limits } from '../limits.ts'

type Intent = 'sale' | 'hold'
const isIntent = (text: string): text is Intent => text === 'sale' || text === 'hold'

/** Optional fields that are only stored and compared: the merchant's reference, and details of the shopper. */
const details = [
  'merchantReference',
  'email',
  'country',
  'accountHolder',
  'bankName',
  'bankCountry',
  'bic',
  'iban',
] as const

/** A gateway's request for a payment. */
export interface Order extends Readonly<Partial<Record<(typeof details)[number], string | undefined>>> {
  /** The gateway's reference. */
  readonly reference: string
  /** The amount with two decimals, such as `92.00`. */
  readonly amount: string
  /** The code of ISO 4217. */
  readonly currency: string
  readonly brand: BrandCode
  /** The text for the shopper, mostly the merchant's name. */
  readonly description: string
  /** Address to which the shopper returns. */
  readonly returnUrl: string
  /** Address that is called after each change of the payment's state. */
  readonly notificationUrl: string
  /** Whether the amount is taken, or only held until it is captured. */
  readonly intent: Intent
  /** Whether the shopper also agrees to later charges by the merchant. */
  readonly createAgreement: 'true' | undefined
  /** The agreement under which the merchant charges, without the shopper. */
  readonly agreementId: string | undefined
  /** The shopper's language, BCP 47. */
  readonly locale: string | undefined
}

/** A field that is missing or invalid. */
export interface FieldError {
  readonly name: string
  readonly message: string
}

interface Field {
  readonly name: keyof Order
  readonly message: string
  readonly isValid: (value: string) => boolean
}

/** Whether a value is a text of one line. */
export const isLine = (value: unknown): value is string => typeof value === 'string' && /^\P{C}{1,255}$/u.test(value)

function isWebAddress(value: string): boolean {
  const url = value.length > 2048 ? undefined : parseUrl(value)
  if (!url) return false
  const { protocol, username, password } = url
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
}

const webAddress = 'must be an absolute http or https address of 2048 characters at most, without credentials'

/** Whether a text is an amount of money above 0.00. */
export const isAmount = (value: string): boolean => /^[0-9]{1,10}\.[0-9]{2}$/.test(value) && minorOf(value) > 0

/** Converts an amount to hundredths, for every currency. */
export const minorOf = (amount: string): number => Math.round(Number(amount) * 100)

const DETAIL = `must be a text of at most ${limits.detailCharsMax} characters`

const LINE = 'must be a text of 1 to 255 printable characters'

export const referenceError = { name: 'reference', message: LINE } as const

export const amountError = {
  name: 'amount',
  message: 'must be a text of 1 to 10 digits, a dot and 2 digits, above 0.00',
} as const

const fields: readonly Field[] = [
  { ...referenceError, isValid: isLine },
  { ...amountError, isValid: isAmount },
  { name: 'currency', message: 'must be an ISO 4217 code', isValid: isCurrency },
  { name: 'brand', message: 'must be a known brand', isValid: isBrand },
  { name: 'description', message: LINE, isValid: isLine },
  { name: 'returnUrl', message: webAddress, isValid: isWebAddress },
  { name: 'notificationUrl', message: webAddress, isValid: isWebAddress },
]

const optionalFields: readonly Field[] = [
  { name: 'intent', message: 'must be sale or hold', isValid: isIntent },
  { name: 'createAgreement', message: 'must be true', isValid: (value) => value === 'true' },
  { name: 'agreementId', message: LINE, isValid: isLine },
  { name: 'locale', message: 'must be a BCP 47 tag', isValid: (value) => /^[\w-]{1,35}$/.test(value) },
  ...details.map(
    (name): Field => ({ name, message: DETAIL, isValid: ({ length }) => length <= limits.detailCharsMax }),
  ),
]

/** Reads an order from a JSON body. The errors contain every missing or invalid field; unknown fields are ignored. */
export function readOrder(
  body: Readonly<Record<string, unknown>>,
): { order: Order } | { errors: readonly FieldError[] } {
  const textOf = (name: string): string => {
    const value = body[name]
    return typeof value === 'string' ? value : ''
  }
  const isTextOrAbsent = (name: string): boolean => ['string', 'undefined'].includes(typeof body[name])
  // A charge under an agreement has no page, so it needs no addresses.
  const required = body['agreementId'] === undefined ? fields : fields.filter((field) => field.isValid !== isWebAddress)
  const checked = [...required, ...optionalFields.filter(({ name }) => body[name] !== undefined)]
  const errors = checked
    .filter(({ name, isValid }) => !isTextOrAbsent(name) || !isValid(textOf(name)))
    .map(({ name, message }): FieldError => ({ name, message }))
  const brand = textOf('brand')
  if (errors.length > 0 || !isBrand(brand)) return { errors }
  const optional = (name: keyof Order): string | undefined => textOf(name) || undefined
  const order: Order = {
    reference: textOf('reference'),
    amount: textOf('amount'),
    currency: textOf('currency'),
    brand,
    description: textOf('description'),
    returnUrl: textOf('returnUrl'),
    notificationUrl: textOf('notificationUrl'),
    intent: textOf('intent') === 'hold' ? 'hold' : 'sale',
    createAgreement: body['createAgreement'] === 'true' ? 'true' : undefined,
    agreementId: optional('agreementId'),
    locale: optional('locale'),
    ...Object.fromEntries(details.map((name) => [name, optional(name)])),
  }
  return { order }
}

/** Whether all fields of two orders are equal. */
export const isSameOrder = (one: Order, other: Order): boolean =>
  [...fields, ...optionalFields].every(({ name }) => one[name] === other[name])
