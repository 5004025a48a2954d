import type { Connector, RemoteConnector } from '@tollgate/connectors'
import type { TransactionRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import { factsOf } from '../records/payment-record.ts'
import { attemptedConnector } from './attempts.ts'

/** The properties of a payment by which its connector is chosen. */
interface Destination {
  readonly redirected?: boolean | undefined
  readonly testMode: string | null
}

/**
 * The connector of a payment: to banks and wallets if a provider processes the payment, to the processor's test system
 * for the test mode EXTERNAL if one is connected, otherwise to the acquirer.
 *
 * @returns undefined: no bank or wallet is connected
 */
export function connectorOf(
  { acquirers }: Pick<Context, 'acquirers'>,
  { redirected, testMode }: Destination,
): Connector | undefined {
  if (redirected) return acquirers.redirect
  return testMode === 'EXTERNAL' ? (acquirers.external ?? acquirers.direct) : acquirers.direct
}

/** The connector of a stored payment: the one that its last request was sent to, also after the routes have changed. */
export async function connectorOfRow(
  context: Pick<Context, 'acquirers' | 'storage'>,
  row: TransactionRow,
): Promise<Connector | undefined> {
  const name = await attemptedConnector(context, row)
  const { external } = context.acquirers
  if (name !== undefined && external?.name === name) return external
  return connectorOf(context, { redirected: factsOf(row).redirected, testMode: row.test_mode })
}

/** Whether follow-ups of a payment contain its account number. */
export const needsAccountLater = (connector: Connector | undefined): connector is RemoteConnector =>
  connector?.kind === 'remote' && connector.needsAccountLater === true
