import { elementText } from './element-text.ts'
import type { MessageSource } from './message-source.ts'
import { printable } from './printable.ts'

/** The elements within element 20, by parameter. */
export const schemeElements = [
  ['IN', 'threeDSecure.schemeData[CB-ITEMSNB]'],
  ['SM', 'threeDSecure.schemeData[CB-SCORE_MERCHANT]'],
  ['UC', 'threeDSecure.schemeData[CB-USECASE]'],
  ['AA', 'threeDSecure.schemeData[CB-AVALGO]'],
  ['EX', 'threeDSecure.schemeData[CB-EXEMPTION]'],
  ['SC', 'threeDSecure.schemeData[CB-SCORE]'],
] as const

const SELECTED_BRAND = elementText('BR', 'CB')

/** Element 20: the choice of Cartes Bancaires for a card with two brands, and data of the authentication. */
export function cartesBancaires({ request: { brand, parameters } }: MessageSource): string | undefined {
  let text = brand === 'CARTEBANCAIRE' ? SELECTED_BRAND : ''
  for (const [tag, name] of schemeElements) {
    const value = parameters.get(name)
    if (value) text += elementText(tag, printable(value))
  }
  return text === '' ? undefined : text
}
