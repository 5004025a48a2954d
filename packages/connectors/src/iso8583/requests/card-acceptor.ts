import { limits } from './limits.ts'
import { type MessageSource, repeatedField } from './message-source.ts'
import { printable } from './printable.ts'

/** The name on the shopper's statement: "merchant.name … overrides the merchant name on the statement". */
export const statementName = ({ request, profile }: MessageSource): string =>
  printable(request.parameters.get('merchant.name') ?? (request.descriptor || profile.merchantName))

/** Whether field 43 contains the whole name. */
export const fitsStatement = (name: string): boolean => name.length <= limits.nameChars

const filled = (text: string, length: number): string => text.slice(0, length).padEnd(length)

/** Field 43: 25 characters of the name, 13 of the city, and the country. */
export function nameAndLocation(source: MessageSource): string {
  const { request, profile } = source
  const city = printable(request.parameters.get('merchant.city') ?? profile.merchantCity)
  const country = request.parameters.get('merchant.country')?.toUpperCase() ?? profile.merchantCountry
  return `${filled(statementName(source), limits.nameChars)}${filled(city, limits.cityChars)}${filled(country, 2)}`
}

/** Field 18: the merchant's category. */
export function merchantCategory(source: MessageSource): string {
  const sent = source.request.parameters.get('merchant.mcc') ?? ''
  return /^\d{4}$/.test(sent) ? sent : (repeatedField(source, 18) ?? source.profile.merchantCategory)
}

/** Field 104: the descriptor, if field 43 does not contain it in full. */
export function description(source: MessageSource): string | undefined {
  const descriptor = printable(source.request.descriptor)
  const isShown = descriptor === statementName(source) && fitsStatement(descriptor)
  return descriptor === '' || isShown ? undefined : descriptor.slice(0, limits.descriptionCharsMax)
}
