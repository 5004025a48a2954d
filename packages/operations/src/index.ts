/**
 * The application layer: it decides requests and due jobs by the rules of the domain, and commits the outcomes. Each
 * feature has a folder with its operations, jobs and tests; the folders `payments` and `records` are shared. The
 * package does not depend on HTTP, listeners or the job runner.
 */
export { createTraceNumbers, type TraceNumber, type TraceNumbers } from './acquirer/trace-numbers.ts'
export { type IssuedToken, issueToken, revokeToken, rotateToken } from './administration/access-tokens.ts'
export {
  changeConnector,
  type ConnectorContext,
  type ConnectorSettings,
  createConnector,
  deleteConnector,
  type TargetMembers,
} from './administration/change-connector.ts'
export {
  changeSftpAccount,
  createSftpAccount,
  deleteSftpAccount,
  type SftpAccountOutcome,
} from './administration/change-sftp-account.ts'
export { deadLetterJob, retryJob } from './administration/change-job.ts'
export { closeOpenMessage } from './administration/close-open-message.ts'
export {
  activateWebhook,
  addWebhookKey,
  changeWebhook,
  createWebhook,
  deleteWebhook,
} from './administration/change-webhook.ts'
export { saveEntity } from './administration/save-entity.ts'
export { saveRoutes } from './administration/save-routes.ts'
export { routeGaps } from './administration/route-gaps.ts'
export { saveRiskRules } from './administration/save-risk-rules.ts'
export { addSftpKey, recordSftpLogins, revokeSftpKey } from './administration/sftp-keys.ts'
export { methodOfBrand, testRoutesOf } from './administration/test-routes.ts'
export { type Answer, createRenderer, type Refusal, type RequestMark, type BodyRest } from './answer.ts'
export { audit } from './audit.ts'
export type { BackgroundTask } from './background-task.ts'
export { missingAnswer, missingReason } from './checkouts/checkout-answers.ts'
export { cancelPayment, widgetView } from './checkouts/widget-view.ts'
export type { Clock, ServiceClock } from './clock.ts'
export { createKeyedMutex } from './concurrency/keyed-mutex.ts'
export { commitChange } from './commit-change.ts'
export type { DeliveryContext } from './webhooks/delivery-context.ts'
export {
  type ConnectorCache,
  type ConnectorState,
  connectorStates,
  isConnectorState,
  openConnectorCache,
} from './connectors/connector-cache.ts'
export { hasCredentials, openCredentials, rewrappedCredentials } from './connectors/credentials.ts'
export type { ConnectorAccount, Context, Pages } from './context.ts'
export { type Counter, createCounter, type DurationCounts, type Durations, type OperationCounts } from './counters.ts'
export {
  areLegacy,
  type Caller,
  type CallerOrReason,
  type Directory,
  type Entity,
  type TenantSettings,
} from './directory/channel.ts'
export { openDirectory, rightsOf } from './directory/directory.ts'
export {
  changedSettings,
  entitySettings,
  entitySettingTable,
  readEntitySettings,
  settingsChange,
} from './directory/entity-settings.ts'
export { RiskRulesError } from './directory/risk-conditions.ts'
export { listedKeyIds, prepareRules, readRiskRules, riskRuleSet, type RiskRuleSet } from './directory/risk-rules.ts'
export { ConnectorName, RoutesError, routeSet, type RouteSet } from './directory/routes.ts'
export { createSandboxRows, isOfSandbox, sandboxIds, sandboxToken } from './directory/sandbox.ts'
export { errorFields } from './error-fields.ts'
export { type CommandHandler, createCommandHandler, type IdempotencyClaim } from './command-handler.ts'
export { createDeclinedCards, type FollowedDeclinedCards } from './acquirer/declined-cards.ts'
export { fingerprintText } from './fingerprint.ts'
export { hex } from './hex.ts'
export { createIds, type Ids, timePartOf } from './ids.ts'
export type { JobKind } from './job.ts'
export { jobDeadLettered, jobDue, jobReleased } from './job-transitions.ts'
export { jobKinds } from './jobs.ts'
export { limits } from './limits.ts'
export { analytics, analyticsGroupings, isGrouping } from './ledger/analytics.ts'
export type { ClearingFiles } from './ports/clearing-files.ts'
export { clearingBatchesReport, clearingBatchReport } from './clearing/clearing-report.ts'
export { balancesReport } from './ledger/balances.ts'
export { type DayRange, dayIn, monthIn } from './ledger/days.ts'
export { feePlan, FeePlanError, type SentFeePlan } from './ledger/fee-plan.ts'
export { journalReport } from './ledger/journal.ts'
export { postTransactions } from './ledger/post-transactions.task.ts'
export type { Report } from './ledger/report.ts'
export { feePlansOf, saveFeePlan, type StoredFeePlan } from './ledger/save-fee-plan.ts'
export { statementOf, statementRows, statementView } from './ledger/statement.ts'
export { totalsReport } from './ledger/totals.ts'
export type { Log, LogFields } from './log.ts'
export { memoizeLast } from './memoize-last.ts'
export { narrow } from './narrow.ts'
export { schemaFault } from './schema-fault.ts'
export { execute, refuse } from './operations.ts'
export { withOutbox } from './outbox.ts'
export { describeMethodOperations } from './payments/describe-method-operations.ts'
export type { DirectoryServer } from './ports/issuers.ts'
export type { OutgoingClient, OutgoingReply, OutgoingRequest } from './ports/outgoing-client.ts'
export type { DeclineBounds, Declines, RateLimit } from './ports/rate-limits.ts'
export type {
  SftpClient,
  SftpCredentials,
  SftpFault,
  SftpOutcome,
  SftpServer,
  SftpSession,
} from './ports/sftp-client.ts'
export { openSftpCredentials, rewrappedSftpCredentials, sftpCredentials } from './sftp/account-credentials.ts'
export {
  type DeliverySettings,
  deliverySettings,
  deliverySettingsOf,
  type SourceSettings,
  sourceSettings,
  sourceSettingsOf,
  timeZoneFault,
} from './sftp/account-settings.ts'
export { SETTLEMENT_PULL } from './sftp/settlement-pull.ts'
export { composeDeliveries } from './sftp/compose-deliveries.task.ts'
export { eraseDelivered } from './sftp/erase-delivered.task.ts'
export { FILE_DELIVERY, repeatDelivery } from './sftp/file-delivery.ts'
export {
  deliveredPurposes,
  existingAccounts,
  isDeliveredPurpose,
  isSftpAccountState,
  isSftpPurpose,
  SETTLEMENT_FILES,
  sftpAccountStates,
} from './sftp/sftp-accounts.ts'
export type { SftpContext } from './sftp/sftp-context.ts'
export { testSftpAccount } from './sftp/test-account.ts'
export { createSearchLimiter } from './queries/search-limiter.ts'
export { sealedOf } from './records/account-record.ts'
export { type AmountsView, amountsView } from './records/amounts-view.ts'
export { isAccountKind } from './records/masked-account.ts'
export { shownAccount } from './records/outcome.ts'
export { amountOf } from './records/transaction-view.ts'
export { isStatus, paymentTree } from './records/payment-record.ts'
export { readSession } from './records/read-session.ts'
export { routedOf } from './records/routed.ts'
export { resultAddress } from './records/result-address.ts'
export { isAuthentication, isSessionKind, progressOf, sessionResource } from './records/session-record.ts'
export { readStoredParameters } from './records/stored-parameters.ts'
export { cancelSession } from './redirects/cancel-session.ts'
export { pollNotified } from './redirects/poll-notified.ts'
export { mayResultChange, pollSession } from './redirects/poll-session.ts'
export { eraseAccount } from './registrations/erase-account.ts'
export type { Head } from './request-head.ts'
export { requestOf } from './requests.ts'
export { eraseEvents } from './retention/erase-events.task.ts'
export { eraseNumbers } from './retention/erase-numbers.task.ts'
export { disputesReport } from './disputes/disputes-report.ts'
export { disputeView } from './disputes/dispute-view.ts'
export { eraseEvidence } from './disputes/erase-evidence.task.ts'
export {
  addEvidence,
  type EvidenceResult,
  readEvidence,
  type RemovalResult,
  removeEvidence,
  rewrappedEvidence,
  type UploadedEvidence,
} from './disputes/evidence.ts'
export { expireDisputes } from './disputes/expire-disputes.task.ts'
export { DISPUTE_POSITION, type DisputeFilter, disputePage } from './disputes/list-disputes.ts'
export { type InquiryResult, openInquiry } from './disputes/open-inquiry.ts'
export { type OperatorStep, type StepResult, takeStep } from './disputes/take-step.ts'
export {
  assignBankEntry,
  type AssignmentResult,
  assignmentTargets,
  undoAssignment,
} from './bank/assign-bank-entry.ts'
export { bankEntryStates, explanationOf, isBankEntryState } from './bank/bank-entry-row.ts'
export { explainAgain } from './bank/explain-again.task.ts'
export { openAccountNumber, rewrappedTerms } from './payouts/account-number.ts'
export { merchantTerms, MerchantTermsError, type SentMerchantTerms } from './payouts/merchant-terms.ts'
export { cancelPayout, type InstructedPayout, instructPayout } from './payouts/instruct-payout.ts'
export { payoutInstruction } from './payouts/payout-instruction.ts'
export { isPayoutState, payoutStates } from './payouts/payout-state.ts'
export { type DatedMerchantTerms, merchantTermsOf, saveMerchantTerms } from './payouts/save-merchant-terms.ts'
export { updateAccounts } from './payouts/update-accounts.task.ts'
export { matchByHand, type MatchResult, undoMatch } from './settlement/match-by-hand.ts'
export { matchAgain } from './settlement/match-again.task.ts'
export { recordLines, type RecordSearch } from './settlement/record-lines.ts'
export { recordChargebacks } from './settlement/record-chargebacks.task.ts'
export { rowIn, rowJson } from './settlement/stored-row.ts'
export { readFiles } from './settlement/read-files.task.ts'
export { removeBrokenUploads } from './settlement/remove-broken-uploads.task.ts'
export { type ArrivedFile, type Received, receiveFile } from './settlement/receive-file.ts'
export { acceptStatement, type AcceptResult } from './settlement/statement-chain.ts'
export { compareNow, type ComparisonResult } from './clearing/compare-batch.ts'
export { closeDays } from './clearing/close-days.task.ts'
export {
  eraseCardDeclines,
  eraseReportSnapshots,
  eraseShopperData,
  eraseVelocity,
} from './retention/erase-old-rows.task.ts'
export { createVelocity } from './risk/velocity.ts'
export { beginAuthentication, type Browser, receiveResult } from './three-d-secure/authenticate.ts'
export { createCardRanges } from './three-d-secure/card-ranges.ts'
export { methodDataOf, methodUrlOf, sessionIdIn } from './three-d-secure/three-ds-method.ts'
export { type LoopTimes, type StartTimer, startTimer, type Wait, wait, waitForLull } from './wait.ts'
export type { AttemptOutcome } from './webhooks/attempt-outcome.ts'
export { REVERSAL_JOB } from './records/timers.ts'
export { DELIVERY } from './webhooks/new-delivery.ts'
export { NOTIFICATION } from './webhooks/new-notification.ts'
export { replayBetween, replayEvents } from './webhooks/replay.ts'
export { keyToTest, sendTestDelivery } from './webhooks/test-delivery.ts'
export { openWebhooks, type Webhooks } from './webhooks/webhook-cache.ts'
export { type KeyPhase, keysIn, openWebhookKey, phaseOf, rewrappedKey } from './webhooks/webhook-keys.ts'
export { type Webhook, webhookSettings } from './webhooks/webhook.ts'
