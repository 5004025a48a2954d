import type { KeyObject } from 'node:crypto'
import { createUpstreamConnector, type RemoteConnector, type UpstreamAlert } from '@tollgate/connectors'
import type { Clock, Ids, Log } from '@tollgate/operations'
import { createUpstreamExchange, type UpstreamTarget } from './upstream-exchange.ts'

/** The account of a merchant at another gateway of the same contract. */
export interface UpstreamSettings extends UpstreamTarget {
  /** The name that is stored with each attempt. */
  readonly name: string
  readonly entityId: string
  /** Reads the current access token, which may be rotated. */
  readonly accessToken: () => string
  /** The key of its notifications; undefined: they are not accepted. */
  readonly notificationKey?: KeyObject | undefined
  /** The currency of account verifications whose request names none. */
  readonly verificationCurrency: string
}

interface Parts {
  readonly ids: Pick<Ids, 'random'>
  readonly clock: Clock
  readonly log: Pick<Log, 'error'>
}

const alertTexts: Readonly<Record<UpstreamAlert['kind'], string>> = {
  testMode: 'the upstream has processed a live payment in a test mode: the payment fails, and is reversed there',
  notAuthorised: 'the upstream refuses the access token: replace it',
  duplicate: 'the upstream has carried out a follow-up twice: reconcile the payment with it',
  mismatch: 'an answer of the upstream is malformed, or about another request',
}

/**
 * The connector to another gateway, with its connections. Alerts are errors in the log.
 *
 * @param exchange replaced by tests
 */
export function createUpstream(
  settings: UpstreamSettings,
  { ids, clock, log }: Parts,
  exchange = createUpstreamExchange(settings),
): RemoteConnector {
  return createUpstreamConnector({
    ...settings,
    exchange,
    newId: () => ids.random(),
    now: () => clock.now(),
    onAlert: ({ kind, ...details }) =>
      log.error({ acquirer: settings.name, alert: kind, ...details, error: alertTexts[kind] }),
  })
}
