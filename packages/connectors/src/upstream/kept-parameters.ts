import type { IssuerSchemeData } from '@tollgate/contract'
import type { RowName } from '../iso8583/requests/row-name.ts'

const GATEWAY = 'an instruction to this gateway'
const NOT_ONWARDS = '"not sent onwards" (contract)'
const REPORTS = '"appears in reporting only" (contract), which are the reports of this gateway'
const TOKEN = 'the gateway has no keys of wallets: it refuses an encrypted token'
const REGISTRATION = 'the gateway stores registrations; the request has the account'
const MIGRATION = 'the gateway reads the references of a migration; the charge has the resulting network id'
const SCHEDULE = 'the gateway runs schedules itself'
const RECORDED = 'the gateway records a chargeback, which no request reports to an acquirer'
const UNKNOWN = 'no parameter of the contract: the gateway adds it for acquirers'

/** The parameters that no request to an upstream gateway contains, with the reason, in the order of the contract. */
export const keptParameters = [
  ['integrity', GATEWAY],
  ['overridePaymentType[brand]', GATEWAY],
  ['merchantInvoiceId', NOT_ONWARDS],
  ['merchantMemo', REPORTS],
  ['walletA.paymentToken', TOKEN],
  ['walletB.paymentToken', TOKEN],
  ['walletC.paymentToken', TOKEN],
  ['overrideHolder', REGISTRATION],
  ['recurringMigration.paymentType', MIGRATION],
  ['recurringMigration.amount', MIGRATION],
  ['recurringMigration.requestTimestamp', MIGRATION],
  ['recurringMigration.connectorTxId1', MIGRATION],
  ['recurringMigration.connectorTxId2', MIGRATION],
  ['recurringMigration.connectorTxId3', MIGRATION],
  ['threeDSecure.schemeData[CB-AVALGO]', UNKNOWN],
  ['threeDSecure.schemeData[CB-EXEMPTION]', UNKNOWN],
  ['threeDSecure.schemeData[CB-SCORE]', UNKNOWN],
  ['job.name', SCHEDULE],
  ['job.year', SCHEDULE],
  ['job.month', SCHEDULE],
  ['job.dayOfMonth', SCHEDULE],
  ['job.dayOfWeek', SCHEDULE],
  ['job.hour', SCHEDULE],
  ['job.minute', SCHEDULE],
  ['job.second', SCHEDULE],
  ['job.startDate', SCHEDULE],
  ['job.endDate', SCHEDULE],
  ['job.noticeUnit', SCHEDULE],
  ['job.durationUnit', SCHEDULE],
  ['job.noticeNumber', SCHEDULE],
  ['job.durationNumber', SCHEDULE],
  ['job.noticeCallable', SCHEDULE],
  ['job.expression', SCHEDULE],
  ['chargebackResultCode', RECORDED],
  ['registrationId', REGISTRATION],
  ['registrations[n].id', REGISTRATION],
] as const satisfies readonly (readonly [name: RowName | IssuerSchemeData, reason: string])[]
