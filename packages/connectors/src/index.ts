/**
 * Connectors to acquirers: the port, the in-process simulated acquirer, the connector to an acquirer's host by ISO
 * 8583, the connector to another gateway of the same contract, and the connector to banks and wallets with redirects.
 */
export type * from './port.ts'
export { describeSimulator } from './simulator/describe.ts'
export { createRedirectConnector, type Exchange, type ExchangeResult } from './redirect/redirect-connector.ts'
export type { IsoFields, IsoMessage } from './iso8583/answer.ts'
export { type AcquirerHost, createIso8583Connector } from './iso8583/connector.ts'
export { offlineApprovalIn } from './iso8583/offline-approval.ts'
export { type AcquirerProfile, testHostProfile } from './iso8583/profile.ts'
export { stanOf, type Trace } from './iso8583/trace.ts'
export type { UpstreamExchange, UpstreamReply, UpstreamRequest } from './upstream/exchange.ts'
export { readNotification } from './upstream/notification.ts'
export { createUpstreamConnector, type UpstreamAlert, type UpstreamOptions } from './upstream/connector.ts'
export { createSimulator } from './simulator/simulator.ts'
export {
  type RejectingBankAccount,
  rejectingBankAccounts,
  type TestBankAccount,
  testBankAccounts,
} from './simulator/test-bank-accounts.ts'
export { type TestCard, testCards } from './simulator/test-cards.ts'
export { isEnrolled } from './simulator/enrolment.ts'
export {
  findThreeDSecureCard,
  type ThreeDSecureCard,
  type ThreeDSecureFlow,
  threeDSecureCards,
  type TransactionStatus,
} from './simulator/three-d-secure-cards.ts'
export {
  findThreeDSecureFaultCard,
  type ThreeDSecureFault,
  type ThreeDSecureFaultCard,
  threeDSecureFaultCards,
} from './simulator/three-d-secure-fault-cards.ts'
