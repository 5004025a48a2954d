import type { AcquirerAccount, AcquirerRequest, Connector, RemoteConnector } from '@tollgate/connectors'
import type { TransactionRow } from '@tollgate/storage'
import type { Context } from '../context.ts'
import { factsOf } from '../records/payment-record.ts'
import { attemptedConnector } from './attempts.ts'

type ConnectorContext = Pick<Context, 'acquirers' | 'storage'>

/** The kinds of accounts that the processor's test system takes. The simulator takes the others, also for EXTERNAL. */
const externalAccounts: ReadonlySet<string | undefined> = new Set<AcquirerAccount['kind']>([
  'card',
  'tokenAccount',
  'giftCard',
])

/**
 * The connector of a request: to banks and wallets if a provider processes the payment; for the test mode EXTERNAL to
 * the processor's test system, if one is connected; otherwise to the acquirer. A follow-up goes where its original
 * went.
 *
 * @returns undefined: no bank or wallet is connected
 */
export function connectorOf(
  context: ConnectorContext,
  {
    redirected,
    testMode,
    original,
    account,
  }: Pick<AcquirerRequest, 'redirected' | 'testMode' | 'original' | 'account'>,
): Connector | undefined | Promise<Connector> {
  const { redirect, direct, external } = context.acquirers
  if (redirected) return redirect
  if (testMode !== 'EXTERNAL') return direct
  if (original) return connectorOfAttempt(context, original.transactionId)
  return external && externalAccounts.has(account?.kind) ? external : direct
}

/** The connector of a stored payment: that to which its last request was sent, also if the settings have changed. */
export async function connectorOfRow(context: ConnectorContext, row: TransactionRow): Promise<Connector | undefined> {
  const { redirect, direct } = context.acquirers
  if (factsOf(row).redirected) return redirect
  return row.test_mode === 'EXTERNAL' ? connectorOfAttempt(context, row.id) : direct
}

/** A transaction without an attempt was sent to the simulator, which needs none. */
async function connectorOfAttempt(context: ConnectorContext, transactionId: string): Promise<Connector> {
  const { direct, external } = context.acquirers
  const name = await attemptedConnector(context, transactionId)
  if (name === undefined) return direct
  return external?.name === name ? external : notConnected(name)
}

/** A connector that the settings no longer name: nothing can be sent to its acquirer. */
const notConnected = (name: string): RemoteConnector => ({
  kind: 'remote',
  name,
  send: async () => ({ status: 'notSent', reason: 'the acquirer of the payment is not connected' }),
  reverse: async () => ({ kind: 'unknown' }),
})

/** Whether follow-ups of a payment contain its account number. */
export const needsAccountLater = (connector: Connector | undefined): connector is RemoteConnector =>
  connector?.kind === 'remote' && connector.needsAccountLater === true
