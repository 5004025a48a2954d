import type { Connector } from '@tollgate/connectors'
import { brands, isBrand } from '@tollgate/contract'
import type { Gateway } from '../gateway.ts'

/** Whether the shopper of a brand is sent to a page of its own to confirm the payment. */
export const isRedirected = (brand: string): boolean => isBrand(brand) && brands[brand].flow === 'async'

/** Who is asked about payments of a brand; undefined where there is nobody. */
export const connectorOf = ({ connector, redirects }: Gateway, brand: string): Connector | undefined =>
  isRedirected(brand) ? redirects : connector
