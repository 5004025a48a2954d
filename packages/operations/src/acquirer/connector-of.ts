import type { Connector } from '@tollgate/connectors'
import type { Context } from '../context.ts'

/** The connector that authorises a payment; undefined: none is configured. */
export const connectorOf = (
  { acquirers }: Pick<Context, 'acquirers'>,
  { redirected }: { readonly redirected?: boolean | undefined },
): Connector | undefined => (redirected ? acquirers.redirect : acquirers.direct)
