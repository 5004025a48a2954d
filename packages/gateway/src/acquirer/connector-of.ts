import type { Connector } from '@tollgate/connectors'
import { brands } from '@tollgate/contract'
import type { Context } from '../operations/context.ts'
import type { Instrument } from '../payments/instruments/instrument.ts'

/** Whether a shopper is sent to a page of the brand to confirm the payment: no account of his is known here. */
export const isRedirected = ({ brand, number }: Pick<Instrument, 'brand'> & { readonly number?: unknown }) =>
  number === undefined && brand !== undefined && brands[brand].flow === 'async'

/** Whether the provider of a redirect brand takes the payment: on its page, or under an agreement made there. */
export const isAtProvider = (
  instrument: Parameters<typeof isRedirected>[0] & { readonly agreement?: true | undefined },
) => instrument.agreement === true || isRedirected(instrument)

/** Who is asked about a payment; undefined where there is nobody. */
export const connectorOf = (
  { connector, redirects }: Context,
  { redirected }: { readonly redirected?: boolean | undefined },
): Connector | undefined => (redirected ? redirects : connector)
