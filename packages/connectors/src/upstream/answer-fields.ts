import { type Format, posFields, responseFields } from '@tollgate/contract'
import { isObject, type Json } from './json.ts'

/** The formats of the fields of an answer, by name (contract: Response fields, POS response fields). */
const formats: ReadonlyMap<string, Format> = new Map(
  [...responseFields.fields, ...posFields.fields].map(({ name, format }) => [name, format]),
)

const ANY_DETAIL = 'resultDetails[key]'

/**
 * The text of a field of an answer, which answers of this gateway repeat.
 *
 * @param name of the contract, such as `card.issuer.bank`
 * @returns undefined if the field is missing, empty, or has another format than the contract's
 */
export const fieldIn = (answer: Json, name: string): string | undefined =>
  accepted(formats.get(name), name.split('.').reduce(memberOf, answer))

/** The text of a member of `resultDetails`, by the same rules. */
export const detailIn = ({ resultDetails }: Json, name: string): string | undefined =>
  accepted(formats.get(`resultDetails.${name}`) ?? formats.get(ANY_DETAIL), memberOf(resultDetails, name))

const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined)

const accepted = (format: Format | undefined, value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && format?.accepts(value) ? value : undefined
