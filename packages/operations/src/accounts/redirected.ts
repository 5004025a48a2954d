import { brands } from '@tollgate/contract'
import type { Instrument } from './instrument.ts'

/** Whether the shopper selects the account and confirms the payment on a page of the brand. */
export const isRedirected = ({ brand, number }: Pick<Instrument, 'brand'> & { readonly number?: unknown }) =>
  number === undefined && brand !== undefined && brands[brand].flow === 'async'

/** Whether the provider of a redirect brand executes the payment: on its page, or under an earlier agreement. */
export const isProcessedByProvider = (
  instrument: Parameters<typeof isRedirected>[0] & { readonly isAgreement?: true | undefined },
) => instrument.isAgreement === true || isRedirected(instrument)
