import type { DeclineReason } from '@tollgate/contract'

/** The texts that the form shows for a decline. */
interface Decline {
  /** Key of the text for the form as a whole. */
  readonly text: string
  /** Keys of the texts beside the declined fields, by the names of the fields. */
  readonly fields?: Readonly<Record<string, string>>
}

export const declines: Readonly<Record<DeclineReason, Decline>> = {
  number: { text: 'declined', fields: { cardNumber: 'declinedNumber', iban: 'errorIban' } },
  expiry: { text: 'declined', fields: { expiry: 'declinedExpiry' } },
  cvv: { text: 'declined', fields: { cvv: 'declinedCvv' } },
  holder: { text: 'declined', fields: { cardHolder: 'errorHolder', accountHolder: 'errorAccountHolder' } },
  brand: { text: 'declined', fields: { cardNumber: 'errorBrand' } },
  funds: { text: 'declinedFunds' },
  authentication: { text: 'notAuthenticated' },
  cancelled: { text: 'cancelled' },
  later: { text: 'tryAgain' },
  generic: { text: 'declined' },
}
