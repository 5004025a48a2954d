import { type CardBrandCode, cardBrands, isCardBrand } from '@tollgate/contract'
import { limits } from '../limits.ts'
import { caretAfter, grouped, numberState } from './card-number.ts'

/** The state of a field, derived from its digits. */
export interface FieldState {
  readonly text: string
  readonly digits: string
  readonly full: boolean
  readonly error: string
  readonly brands: readonly string[]
}

/** One kind of field, by the last part of its page's path. */
export interface FieldKind {
  readonly parameter: string
  readonly autocomplete: AutoFill
  /**
   * @param brands the brands of the form
   * @param chosen the selected or detected brand, if any
   */
  readonly state: (digits: string, brands: readonly string[], chosen: CardBrandCode | undefined) => FieldState
  readonly caret: (count: number, text: string) => number
}

export const fieldKinds: Readonly<Record<string, FieldKind>> = {
  number: {
    parameter: 'card.number',
    autocomplete: 'cc-number',
    state: (typed, brands, chosen) => {
      const accepted = brands.filter(isCardBrand)
      const digits = typed.slice(0, limits.cardNumberDigitsMax)
      const state = numberState(digits, accepted, chosen)
      return { ...state, digits, text: grouped(digits, state.brand) }
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
      const fits = lengths.some((length) => length === digits.length)
      const full = digits.length === Math.max(3, ...lengths)
      return { text: digits, digits, full, error: fits ? '' : 'errorCvv', brands: [] }
    },
    caret: (count) => count,
  },
}
