/**
 * The rules of payments and their amounts, accounts, registrations, checkouts, 3-D Secure, risk, routing, plans, rate
 * limits, results, and webhook retries. The functions use no clock, no randomness and no I/O: times, random numbers and
 * ids are arguments. Outcomes are values; only a broken invariant throws.
 */
export {
  paymentRefusal,
  type PaymentSubject,
  riskCheckRefusal,
  standaloneAuthenticationRefusal,
  type StandaloneAuthenticationSubject,
} from './acceptance/acceptance.ts'
export { dispatch } from './acceptance/dispatch.ts'
export { type DuplicateSubject, duplicateKeys, refusesDuplicates } from './acceptance/duplicates.ts'
export { environmentRefusal } from './acceptance/live-request.ts'
export { returnAddressRefusal } from './acceptance/return-address.ts'
export { demandsThreeDSecure } from './acceptance/three-d-secure-demand.ts'
export {
  type BankAccount,
  type BankAccountUse,
  checkBankAccount,
  type CheckedBankAccount,
  type Mandate,
} from './bank-account.ts'
export { bicCountry } from './bic.ts'
export {
  type AgreedCharge,
  type Agreement,
  type Authorisation,
  checkCharge,
  historyLengthOf,
} from './card-on-file/agreement.ts'
export {
  checkInstruction,
  type IndustryPractice,
  industryPractices,
  type InstructedPayment,
  instructionModes,
  instructionSources,
  type InstructionType,
  instructionTypes,
  isCharge,
  recurringTypes,
  type StandingInstruction,
} from './card-on-file/instruction.ts'
export {
  type Card,
  type CardRequirements,
  cardExpiresAtMs,
  type CheckedCard,
  checkCard,
  digitsText,
  isLuhn,
} from './card.ts'
export { addDays, dayAt, daysBetween } from './day.ts'
export { addDuration } from './iso-duration.ts'
export { type Guard, missingParameter, type Refused, refused, type Unknown } from './guard.ts'
export { isCreditorId } from './creditor-id.ts'
export { readIban } from './iban.ts'
export { limits, type PaymentLimits, paymentLimits } from './limits.ts'
export { type Amount, formatAmount, formatSum, hasTwoDecimals, isAmount, parseAmount } from './money.ts'
export {
  checkCardBrand,
  checkPaymentToken,
  isBase64,
  type PaymentToken,
  type TokenRequirements,
} from './payment-token.ts'
export {
  type Amounts,
  amountsOf,
  type Charge,
  chargeOf,
  type Hold,
  holdOf,
  reversibleMinorOf,
  totalsOf,
} from './payment/amounts.ts'
export {
  type AuthorisationCase,
  authorisationCase,
  authorisationExpiresAtMs,
} from './payment/authorisation-validity.ts'
export { type Command, type Decision, type Go, type Move } from './payment/command.ts'
export { decide, wrongTypeRefusal, unknownReference } from './payment/decide.ts'
export { brokenInvariantOf } from './payment/broken-invariant.ts'
export {
  type MethodGroup,
  methodGroupOf,
  methodGroups,
  type MethodOperation,
  methodOperationOf,
  methodOperations,
  methodRefusal,
} from './payment/method-operations.ts'
export { moves } from './payment/moves.ts'
export { isRight, type Right, rights } from './payment/rights.ts'
export { soleCaptureOf } from './payment/sole-capture.ts'
export { type PaymentState, stateOf } from './payment/state.ts'
export {
  apply,
  type Facts,
  isPaymentType,
  hasFailed,
  isUndecided,
  type PaymentType,
  paymentTypes,
  rootOf,
  type TestMode,
  type Transaction,
  type TransactionStatus,
  transactionStatuses,
  type Tree,
} from './payment/transaction.ts'
export { registrationAfterPayment } from './registration/registration-after-payment.ts'
export { createRegistration } from './registration/create-registration.ts'
export { deregister } from './registration/deregister.ts'
export { withLastUse, expireRegistration } from './registration/expire-registration.ts'
export { extendRegistration } from './registration/extend-registration.ts'
export type { ChangedRegistration, RegistrationSubject } from './registration/guards.ts'
export { type RegistrationOperation, unknownRegistration } from './registration/unknown-registration.ts'
export {
  type Agreements,
  type Registration,
  type RegistrationState,
  registrationState,
} from './registration/registration.ts'
export { storedBrandRefusal } from './registration/stored-brand.ts'
export { updateRegistration } from './registration/update-registration.ts'
export { registrationUseRefusal } from './registration/registration-use-refusal.ts'
export { type ArchivableTransaction, reasonToStay, type ReasonToStay } from './payment/archive.ts'
export { mayEraseNumber, retentionEndsAtMs } from './retention.ts'
export { assessRisk, type EarlierPayment, type RiskAssessment, type RiskFacts } from './risk/assess.ts'
export { needsOf, type RiskNeeds } from './risk/needs.ts'
export { rejectedByRisk, resultAfterCheck, riskCheckCodes } from './risk/result.ts'
export { riskAmount } from './risk/risk-amount.ts'
export { chooseRules, type RiskIds } from './risk/choose-rules.ts'
export type {
  RiskCondition,
  RiskOverride,
  RiskRule,
  RiskRuleChoice,
  RiskRules,
  RiskVerdict,
} from './risk/rules.ts'
export {
  type AccountTraits,
  type CountedTrait,
  countedTraits,
  countriesOf,
  countrySources,
  hasRiskTraits,
  isListedTrait,
  type ListedTrait,
  listedTraits,
  normaliseTraitValue,
  traitsOf,
} from './risk/traits.ts'
export {
  type BlockingAdvice,
  type CardDeclines,
  declinesExpireAtMs,
  type IssuerDecline,
  type PresentedData,
  withDecline,
} from './retries/card-declines.ts'
export { type CardAttempt, retryRefusal } from './retries/retry-refusal.ts'
export { httpStatusOf, refusalHttpStatus, statusOf } from './result.ts'
export { mayTryNext } from './routing/next-connector.ts'
export {
  planRoute,
  type RouteCondition,
  type RoutePlan,
  type RouteStep,
  type TargetVerdict,
} from './routing/plan-route.ts'
export { possibleRoutes } from './routing/possible-routes.ts'
export {
  type BinRange,
  type ConnectorCost,
  type Route,
  type RouteConditions,
  type RoutedConnector,
  type RouteMethod,
  routeMethods,
  type RouteSubject,
  type TargetOrder,
  targetOrders,
} from './routing/route.ts'
export { type BuiltInConnector, builtInConnectors, isBuiltInConnector, testRoutes } from './routing/test-routes.ts'
export { decideAfterRun, type RunAttempt, type RunDecision } from './schedule/decide-after-run.ts'
export { effectiveEnd } from './schedule/effective-end.ts'
export { nextFire } from './schedule/next-fire.ts'
export { nextRun, type Plan, type PlanOrigin, readPlan } from './schedule/plan.ts'
export { type DayOfMonth, type Days, parseQuartz, type Quartz } from './schedule/quartz.ts'
export { type CatchUp, type RunsDue, runsDue } from './schedule/runs-due.ts'
export type { Span, SpanUnit } from './schedule/span.ts'
export { isTimeZone } from './time-zone.ts'
export { isTestMode, successCode, testModes } from './test-mode.ts'
export { emptyWindow, enterWindow, countInWindow, windowWaitMs, type Window } from './throttle/sliding-window.ts'
export {
  type Breaker,
  breakerAfterFailure,
  breakerAfterSuccess,
  breakerAllows,
  closedBreaker,
  concurrentDeliveries,
} from './webhook/breaker.ts'
export { type FieldFilter, fieldFilters, type Json, withoutCustomerData } from './webhook/customer-data.ts'
export { retryAtMs } from './webhook/retry.ts'
export { type DeliveryVerdict, deliveryVerdictOf } from './webhook/verdict.ts'
export { type Checkout, type CheckoutState, checkoutState, checkoutRefusal } from './checkout/checkout.ts'
export { isDecline } from './checkout/decline.ts'
export {
  effectOfAuthentication,
  type AuthenticationOutcome,
  authenticationOutcomes,
  type AuthenticationPolicy,
} from './three-d-secure/authentication-effect.ts'
export { type Purchase, purchaseOf } from './three-d-secure/purchase.ts'
export { type AuthenticationResult, notEnrolled, resultOfAuthentication } from './three-d-secure/standalone-result.ts'
export { type AgeingBucket, ageingBucketOf, ageingBuckets, isBreak } from './reconciliation/ageing.ts'
export { chargebackReasonOf, disputeNetworksOf } from './reconciliation/chargeback-reasons.ts'
export {
  type AnswerableStage,
  answerDueOn,
  type DisputePeriods,
  disputePeriods,
} from './reconciliation/dispute-deadlines.ts'
export {
  type DisputeFacts,
  disputeNetworkOf,
  dueOnOf,
  flowOf as disputeFlowOf,
  stageOf as disputeStageOf,
  statedReasonOf,
} from './dispute/dispute-rules.ts'
export {
  type DisputeFlow,
  type DisputeMovement,
  type DisputeStage,
  disputeStages,
  type DisputeState,
  disputeStateOf,
  disputeStates,
  type DisputeStep,
  disputeSteps,
  isDisputeStage,
  stageAfterStep,
  stepsOf,
} from './dispute/dispute-stages.ts'
export { type EvidenceKind, evidenceFor, evidenceKinds, isEvidenceKind } from './dispute/evidence-kinds.ts'
export { evidenceTypeOf, evidenceTypes, isEvidenceType } from './dispute/evidence-types.ts'
export { isLiabilityShifted } from './dispute/liability-shift.ts'
export {
  type Candidate,
  type CandidateSearch,
  type MatchSubject,
  type SharedReferenceName,
  normaliseReference,
  type ReferenceName,
} from './reconciliation/candidate.ts'
export type { Money } from './reconciliation/converted-amount.ts'
export type { LedgerProgress } from './reconciliation/ledger-progress.ts'
export { feePeriodOf, matchRows, type MatchVerdict } from './reconciliation/match.ts'
export {
  type MismatchByHand,
  mismatchByHand,
  type MismatchReason,
  mismatchReasons,
} from './reconciliation/match-conditions.ts'
export {
  type RecordedPayment,
  type RecordEntities,
  reconciliationRecord,
  type RecordedVerdict,
  type RecordSources,
  type SettlementSource,
} from './reconciliation/reconciliation-record.ts'
export {
  bankMinorOf,
  settledPart,
  type SettledPosting,
  type SettledTransaction,
  settledPostingsOf,
} from './reconciliation/settled-postings.ts'
export {
  type MatchedKind,
  matchedKindOf,
  type RecordType,
  recordTypeOf,
  recordTypes,
  transactionTypesOf,
} from './reconciliation/record-type.ts'
export { type DailySchedule, dueDayOf, localDayOf } from './file-transfer/due-day.ts'
export { defaultFileNames, fileNameFault, fileNameOf } from './file-transfer/file-name.ts'
export { matchesPattern } from './file-transfer/name-pattern.ts'
export { transferRetryAtMs } from './file-transfer/transfer-retry.ts'
export { bankBookingOf } from './settlement/bank-booking.ts'
export {
  areAdjacent,
  type BankStatement,
  statementFault,
  type StatementFault,
} from './settlement/statement-continuity.ts'
export type { SettledType, SettlementKind, SettlementRow } from './settlement/settlement-row.ts'
export { isArchive } from './file-transfer/is-archive.ts'
export { type SettlementCategory, settlementCategories, type SettlementSum } from './settlement/settlement-totals.ts'
export { type SettlementTotals, settlementTotals } from './settlement/settlement-totals.ts'
export { type AccountClass, type AccountName, type AccountOwner, accounts } from './ledger/accounts.ts'
export { type AccountEntry, type AccountSums, availableEntries, releaseEntries } from './ledger/account-entries.ts'
export { balancesOf, type PostingSums } from './ledger/balances.ts'
export { type FinanceCategory, financeCategoryOf } from './ledger/finance-categories.ts'
export { type BankExplanation, type BankPosting, bankPostingsOf } from './ledger/bank-postings.ts'
export { owedToMerchant } from './ledger/owed-to-merchant.ts'
export { type Fee, type FeeKind, feeKinds, type FeePlan, type FeeTier } from './ledger/fee-plan.ts'
export {
  defaultTerms,
  lastDueDay,
  lastScheduledDay,
  type MerchantTerms,
  payoutSchedules,
  termDaysMax,
} from './ledger/merchant-terms.ts'
export { isPostingKind, type Movement, type PostingKindName, postingKinds } from './ledger/posting-kinds.ts'
export { hasFinal, type Posting, postingsOf } from './ledger/postings-of.ts'
export {
  areEqualAfterReversals,
  type BatchTotals,
  batchTotalsOf,
  type ItemTotal,
  netMinorOf,
  type TotalItem,
} from './clearing/batch-totals.ts'
export { businessDayOf, type CutOff, dayNear, endOfBusinessDay, midnightUtc } from './clearing/business-day.ts'
