/** Content of a webhook's events: all data, or no data about the customer. */
export const fieldFilters = ['ALL', 'NON_CUSTOMER_DATA'] as const
export type FieldFilter = (typeof fieldFilters)[number]

/**
 * Paths of data about the customer or other people, and of free texts of the merchant, which may contain such data. A
 * path through an array applies to each item.
 */
const customerData = [
  'customer',
  'billing',
  'shipping',
  'sender',
  'recipient',
  'corporate',
  'card.holder',
  'bankAccount.holder',
  'virtualAccount.holder',
  'virtualAccount.accountId',
  'tokenAccount.holder',
  'giftCard.holder',
  'giftCard.message',
  'airline.passengers',
  'cart.items.recipient',
  'cart.items.giftMessage',
  'cart.items.shippingInstructions',
  'customParameters',
  'risk.parameters',
  'merchantMemo',
] as const

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** The answer without data about the customer. */
export const withoutCustomerData = (answer: Json): Json => omit(answer, customerData)

/** @param paths members to leave out, with dots between the levels */
function omit(value: Json, paths: readonly string[]): Json {
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.map((item) => omit(item, paths))
  const members = Object.entries(value).filter(([name]) => !paths.includes(name))
  // An assignment to the key `__proto__` would set the prototype, and the member would be lost.
  return Object.fromEntries(members.map(([name, member]) => [name, omit(member, pathsBelow(name, paths))]))
}

const pathsBelow = (name: string, paths: readonly string[]): readonly string[] =>
  paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1))

const isList = (value: object): value is readonly Json[] => Array.isArray(value)
