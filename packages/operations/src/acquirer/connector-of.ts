import type { Connector } from '@tollgate/connectors'
import type { Context } from '../context.ts'

/**
 * The connector of a payment: to banks and wallets if a provider processes the payment, otherwise to the acquirer.
 *
 * @returns undefined: no bank or wallet is connected
 */
export const connectorOf = (
  { acquirers }: Pick<Context, 'acquirers'>,
  { redirected }: { readonly redirected?: boolean | undefined },
): Connector | undefined => (redirected ? acquirers.redirect : acquirers.direct)
