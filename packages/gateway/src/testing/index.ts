/**
 * Helpers for tests of other packages: a gateway without listeners and the parts of which tests compose their own,
 * storages, simulated acquirers and banks, receivers of webhooks, sample requests and rows, and a certificate.
 */
export { composeGateway } from '../compose.ts'
export { startTasks } from '../start-tasks.ts'
export { readConfig } from '../config.ts'
export type { Gateway } from '../gateway.ts'
export { limits } from '../limits.ts'
export { createCounts } from '../metrics/counts.ts'
export { hostSettings } from './host-settings.ts'
export { createAcquirerHost } from '../outgoing/acquirer-host.ts'
export { exchangeJson } from '../outgoing/connector-exchange.ts'
export { createHostConnector } from '../outgoing/host-connector.ts'
export { createExternalConnector } from '../outgoing/connectors/external.ts'
export type { DialLink, LinkTls } from '../outgoing/dial-link.ts'
export { createUpstream } from '../outgoing/upstream-connector.ts'
export { createUpstreamExchange } from '../outgoing/upstream-exchange.ts'
export { nodeEventLoop, type EventLoop } from '../runtime/event-loop.ts'
export { accountRow } from './account-row.ts'
export { testBank } from './bank.ts'
export { selfSignedCertificate } from './certificate.ts'
export { type ManualWait, manualWait } from './manual-wait.ts'
export { otherMerchant, type OtherMerchant } from './other-merchant.ts'
export { type RemoteAcquirer, remoteAcquirer } from './remote-acquirer.ts'
export { simulatorOf } from './simulator-of.ts'
export { slowStorage } from './slow-storage.ts'
export { chargesOf, monthlyPlan, createSubscriber } from './subscription.ts'
export {
  cardWithoutPayment,
  cardPayment,
  FORM,
  formOf,
  comparableBody,
  type Parameters,
  summary,
  type TestAnswer,
  testGateway,
  type TestGateway,
} from './test-gateway.ts'
export { testStorage } from './test-storage.ts'
export { type Receiver, subscribe, type SubscribedWebhook } from './webhook-receiver.ts'
export { answerWithoutListener, type SentForm } from './without-listener.ts'
export type { Log, OutgoingClient, OutgoingReply, OutgoingRequest } from '@tollgate/operations'
export { transactionRow } from './transaction-row.ts'
