import type { CurrencyCode } from '@tollgate/contract'
import { controlCharacterIn } from './control-character.ts'
import type { FaultReason } from './file-fault.ts'
import { type Member, type MemberRule, rowMembers } from './row-members.ts'
import type { Value, ValueKind } from './value-kinds.ts'

/** A row of a format's table: the place of a value in the file, and the member that the value becomes. */
export interface Field<Name extends string = string> extends Omit<MemberRule, 'currency'> {
  /** The name of the column, field or element. */
  readonly name: string
  readonly member: Name
  /** The member with the currency of an amount. */
  readonly currency?: string | undefined
}

/** A field of a row of the settlement file. */
export interface RowField<Name extends Member = Member> extends Field<Name> {
  readonly currency?: MemberRule['currency']
}

/** The field of a member of a row. `kind` replaces the notation, `isRequired` the need in this format. */
export function rowField<Name extends Member>(
  name: string,
  member: Name,
  overrides: { readonly kind?: ValueKind; readonly isRequired?: boolean } = {},
): RowField<Name> {
  return { ...rowMembers[member], ...overrides, name, member }
}

/** Reads the text of a field; undefined if the text is invalid. */
export const readField = ({ kind }: Field, text: string, currency: CurrencyCode): Value | undefined =>
  text.length <= kind.charsMax ? kind.read(text, currency) : undefined

/** The reason for which `readField` does not accept a text. */
export function reasonOf({ kind }: Field, text: string): FaultReason {
  if (text === '') return 'MISSING'
  return text.length > kind.charsMax ? 'FIELD_LENGTH' : kind.reason
}

/**
 * Writes the value of a field.
 * @throws RangeError, which names the field, if the format cannot express the value
 */
export function writeField(
  { name, kind, isRequired }: Field,
  value: Value | undefined,
  currency: CurrencyCode,
): string {
  if (value === undefined) {
    if (isRequired) throw new RangeError(`${name}: is required`)
    return ''
  }
  const text = kind.write(value, currency)
  if (text === undefined || controlCharacterIn(text) >= 0) throw new RangeError(`${name}: must be ${kind.describe}`)
  return text
}
