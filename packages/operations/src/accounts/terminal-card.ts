import { checkCardBrand } from '@tollgate/domain'
import { maskedAccount } from '../records/masked-account.ts'
import type { FormReader } from './account-reader.ts'
import { card } from './card.ts'
import { unusable, usable } from './instrument.ts'
import { knownBrand } from './payment-brand.ts'

/**
 * A card that a terminal read. Where the terminal has encrypted it for the acquirer (pos.encryptedSred), its number is
 * not ours to see: nothing is sealed, and only what was sent beside it can be shown.
 */
export const terminalCard: FormReader = {
  ofForm(call) {
    const { values, secrets } = call.parameters
    if (secrets.has('card.number') || !secrets.has('pos.encryptedSred.data')) return card.ofForm(call)
    const brand = values.get('paymentBrand')
    const expiryMonth = values.get('card.expiryMonth')
    const expiryYear = values.get('card.expiryYear')
    const masked = maskedAccount({ holder: values.get('card.holder'), expiryMonth, expiryYear })
    const checked = checkCardBrand(brand)
    if (checked.kind === 'refused') return unusable('card', knownBrand(brand), checked, masked)
    return usable({ account: 'card', brand: checked.brand, number: undefined, cvv: secrets.get('card.cvv'), masked })
  },
}
