import type { Connector } from '@tollgate/connectors'
import type { Context } from '../context.ts'

/** Who is asked about a payment; undefined where there is nobody. */
export const connectorOf = (
  { connector, redirects }: Pick<Context, 'connector' | 'redirects'>,
  { redirected }: { readonly redirected?: boolean | undefined },
): Connector | undefined => (redirected ? redirects : connector)
