import { type CardBrandCode, cardBrands, isCardBrand } from '@tollgate/contract'
import { limits } from '../limits.ts'
import { caretAfter, groupDigits, numberState } from './card-number.ts'

/** The state of a field, derived from its digits. */
export interface FieldState {
  readonly text: string
  readonly digits: string
  /** Whether no more digits fit. */
  readonly isFull: boolean
  readonly error: string
  readonly brands: readonly string[]
}

/** A kind of field. */
export interface FieldKind {
  readonly parameter: string
  readonly autocomplete: AutoFill
  /**
   * @param brands the brands of the form
   * @param chosen the selected or detected brand, if any
   */
  readonly state: (digits: string, brands: readonly string[], chosen: CardBrandCode | undefined) => FieldState
  /** The position of the caret after `count` digits of the text. */
  readonly caret: (count: number, text: string) => number
}

/** The kinds of fields, by the last part of the path of their pages. */
export const fieldKinds: Readonly<Record<string, FieldKind>> = {
  number: {
    parameter: 'card.number',
    autocomplete: 'cc-number',
    state: (typed, brands, chosen) => {
      const accepted = brands.filter(isCardBrand)
      const digits = typed.slice(0, limits.cardNumberDigitsMax)
      const state = numberState(digits, accepted, chosen)
      return { ...state, digits, text: groupDigits(digits, state.brand) }
    },
    caret: caretAfter,
  },
  cvv: {
    parameter: 'card.cvv',
    autocomplete: 'cc-csc',
    state: (typed, brands, chosen) => {
      const possible = chosen ? [chosen] : brands.filter(isCardBrand)
      const lengths = possible.map((brand) => cardBrands[brand].cvvLength)
      const digits = typed.slice(0, Math.max(3, ...lengths))
      const hasValidLength = lengths.some((length) => length === digits.length)
      const isFull = digits.length === Math.max(3, ...lengths)
      return { text: digits, digits, isFull, error: hasValidLength ? '' : 'errorCvv', brands: [] }
    },
    caret: (count) => count,
  },
}
