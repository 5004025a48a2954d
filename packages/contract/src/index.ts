/**
 * The wire contract as data: every request parameter, response field, code and name that merchants rely on, and the
 * small interpreters that read those tables. The package has no dependencies and no I/O, and runs in Node and in
 * browsers.
 */
export { Secret } from './secret.ts'
export { InvariantError } from './invariant-error.ts'
export { DAY_MS, DAY_SECONDS, HOUR_MS, MINUTE_MS, SECOND_MS } from './duration.ts'
export {
  describeResult,
  isResultCode,
  outcomeOf,
  type ResultCode,
  type ResultCodeRow,
  type ResultGroup,
  type ResultOutcome,
  resultCodes,
  resultGroups,
} from './result-codes.ts'
export {
  CONFIDENTIAL_DECLINE,
  type DeclineReason,
  declineReasonOf,
  declineReasons,
  isConfidentialDecline,
} from './decline-reasons.ts'
export { type Currency, type CurrencyCode, currencies, isCurrency } from './currencies.ts'
export { type Country, type CountryCode, countries, isCountry } from './countries.ts'
export type { Format, Need, Row, SecretKind, Section, StringSchema, Surface } from './row.ts'
export { furtherSections, sections } from './sections.ts'
export { type Brand, type BrandCode, type BrandKind, type CardBrandCode } from './brands.ts'
export { brands, isBrand, isCardBrand, isSepaBrand, paymentMethodOf } from './brands.ts'
export { type CardBrand, cardBrands } from './card-brands.ts'
export { brandOfPrefix, detectBrand, fitsBrand, numberDigitsMax } from './detect-brand.ts'
export { chooseLanguage, isLanguage, type Language, type LanguageCode, languages } from './languages.ts'
export { type AdviceClass, isMerchantAdviceCode, type MerchantAdvice } from './merchant-advice-codes.ts'
export { type MerchantAdviceCode, merchantAdviceCodes } from './merchant-advice-codes.ts'
export { isPaymentMethod, type PaymentMethod, paymentMethods } from './payment-methods.ts'
export { type EventAction, type EventKind, type EventType, eventActions, eventOf, eventTypes } from './events.ts'
export { isTransactionType, type TransactionClass, type TransactionType } from './transaction-types.ts'
export { type TransactionTypeRow, transactionTypes } from './transaction-types.ts'
export { resultsWithoutResponse, type ResponseClass, type ResponseCode, responseCodes } from './response-codes.ts'
export { type RetryClass, resultOfResponse, unknownResponse } from './response-codes.ts'
export { isSepaRejectReason, type SepaRejectReason, type SepaRejectReasonCode } from './sepa-reject-reasons.ts'
export { sepaRejectReasons } from './sepa-reject-reasons.ts'
export { type Compatibility, checkForm, checkParameters } from './check-form.ts'
export { maskCardNumbers } from './card-number.ts'
export { decodeForm } from './decode-form.ts'
export { isCalendarDate } from './format-date.ts'
export { activeSchemes, parseStrictUrl } from './format.ts'
export { parseUrl } from './parse-url.ts'
export { escapeHtml, type Html, html } from './html.ts'
export { type Echo, echoOf, mergedEcho } from './echo.ts'
export {
  type Form,
  isSent,
  isTrue,
  MASK,
  type ParameterError,
  type RequestParameters,
  withoutParameters,
} from './form.ts'
export { decodeLogin, type Login } from './login.ts'
export { type KnownParameter, findParameter, type ParameterName } from './names.ts'
export { type Operation, type OperationName, operations, type ServedOperation, servedOperations } from './operations.ts'
export { walletAliases, walletBrands } from './parameters/mobile-wallets.ts'
export {
  type AuthenticationNetwork,
  authenticationNetworks,
  type IssuerSchemeData,
} from './parameters/three-d-secure.ts'
export { billingUnavailable, browserParameters, marksMerchantInitiated } from './rules/three-d-secure.ts'
export { missingForAuthentication, tooLongForAuthentication } from './rules/three-d-secure.ts'
export { sepaCountries } from './rules/sepa-countries.ts'
export type { JsonSchema } from './json-schema.ts'
export { openapi } from './openapi.ts'
export type { OpenApi } from './openapi-types.ts'
export { checkoutFields, eventFields, identifiers, posFields, redirectFields, scheduleFields } from './responses.ts'
export { type ResponseField, type ResponseKind, responseFields, type ResponseSection } from './responses.ts'
export { type ResponseShape, responses, resultCodeFields } from './responses.ts'
export { type ChargebackReason, chargebackReasons, type DisputeNetwork } from './chargeback-reasons.ts'
export { liabilityShifted, unknownChargebackReason } from './chargeback-reasons.ts'
export { type SpreadsheetCell, spreadsheetLine } from './csv.ts'
export { type RecordColumn, type RecordColumnName, recordColumns, recordFields } from './reconciliation-record.ts'
export { recordHeader, recordLine, type RecordOptions } from './reconciliation-record.ts'
export type { ReconciliationRecord } from './reconciliation-record.ts'
export { jobExpression } from './job-expression.ts'
export { breakingChanges } from './openapi-compare.ts'
export { referencePages } from './reference-pages.ts'
export { parametersOf } from './parameters-of.ts'
export * from './widget.ts'
export { widgetTexts } from './widget-texts/index.ts'
export { type WidgetText, type WidgetTexts, widgetTextKeys } from './widget-texts/keys.ts'
