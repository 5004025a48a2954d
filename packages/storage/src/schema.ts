import type { Row } from './tables.ts'

// The row type of each table. The columns are defined in tables.ts.

export type EntityKind = 'psp' | 'division' | 'merchant' | 'channel'

export interface EntityRow extends Row<'entity'> {
  readonly kind: EntityKind
}
export interface InstallationRow extends Row<'installation'> {}
export interface RiskRulesRow extends Row<'risk_rules'> {}
export interface RouteListRow extends Row<'route_list'> {}
export interface ConnectorRow extends Row<'connector'> {}
export interface AccessTokenRow extends Row<'access_token'> {}
export interface TreeRow extends Row<'tree'> {}
export interface TransactionRow extends Row<'payment_transaction'> {}
export interface TransactionFeedRow extends Row<'transaction_feed'> {}
export interface LateTransactionRow extends Row<'late_transaction'> {}
export interface PostingRow extends Row<'posting'> {}
export interface LedgerDayRow extends Row<'ledger_day'> {}
export interface TransactionDayRow extends Row<'transaction_day'> {}
export interface ClearingBatchRow extends Row<'clearing_batch'> {}
export interface SettlementFileRow extends Row<'settlement_file'> {}
export interface SettlementContentRow extends Row<'settlement_content'> {}
export interface SettlementRowRow extends Row<'settlement_row'> {}
export interface SettlementMatchingRow extends Row<'settlement_matching'> {}
export interface SftpKeyRow extends Row<'sftp_key'> {}
export interface SftpAccountRow extends Row<'sftp_account'> {}
export interface SftpDeliveryRow extends Row<'sftp_delivery'> {}
export interface SftpDeliveryPartRow extends Row<'sftp_delivery_part'> {}
export interface PulledFileRow extends Row<'pulled_file'> {}
export interface SettlementSumRow extends Row<'settlement_sum'> {}
export interface ReportSnapshotRow extends Row<'report_snapshot'> {}
export interface ReportPageRow extends Row<'report_page'> {}
export interface DisputeRow extends Row<'dispute'> {}
export interface DisputeEvidenceRow extends Row<'dispute_evidence'> {}
export interface DisputeEvidencePartRow extends Row<'dispute_evidence_part'> {}
export interface FeePlanRow extends Row<'fee_plan'> {}
export interface MerchantTermsRow extends Row<'merchant_terms'> {}
export interface MerchantAccountRow extends Row<'merchant_account'> {}
export interface PayoutRow extends Row<'payout'> {}
export interface BankEntryRow extends Row<'bank_entry'> {}
export interface AcquirerAttemptRow extends Row<'acquirer_attempt'> {}
export interface TerminalRow extends Row<'terminal'> {}
export interface CardDeclinesRow extends Row<'card_declines'> {}
export interface AccountRow extends Row<'account'> {}
export interface RegistrationRow extends Row<'registration'> {}
export interface VelocityRow extends Row<'velocity'> {}
export interface IdempotencyRow extends Row<'idempotency_key'> {}
export interface UniqueKeyRow extends Row<'unique_key'> {}
export interface JobRow extends Row<'job'> {}
export interface EventRow extends Row<'event'> {}
export interface DeliveryAttemptRow extends Row<'delivery_attempt'> {}
export interface WebhookRow extends Row<'webhook'> {}
export interface WebhookKeyRow extends Row<'webhook_key'> {}
export interface ScheduleRow extends Row<'schedule'> {}
export interface CheckoutRow extends Row<'checkout'> {}
export interface SessionRow extends Row<'visit'> {}

/** The row of each table. */
export interface Schema {
  readonly installation: InstallationRow
  readonly entity: EntityRow
  readonly risk_rules: RiskRulesRow
  readonly route_list: RouteListRow
  readonly connector: ConnectorRow
  readonly access_token: AccessTokenRow
  readonly tree: TreeRow
  readonly payment_transaction: TransactionRow
  readonly transaction_feed: TransactionFeedRow
  readonly late_transaction: LateTransactionRow
  readonly posting: PostingRow
  readonly ledger_day: LedgerDayRow
  readonly transaction_day: TransactionDayRow
  readonly clearing_batch: ClearingBatchRow
  readonly settlement_file: SettlementFileRow
  readonly settlement_content: SettlementContentRow
  readonly settlement_row: SettlementRowRow
  readonly settlement_matching: SettlementMatchingRow
  readonly sftp_key: SftpKeyRow
  readonly sftp_account: SftpAccountRow
  readonly sftp_delivery: SftpDeliveryRow
  readonly sftp_delivery_part: SftpDeliveryPartRow
  readonly pulled_file: PulledFileRow
  readonly settlement_sum: SettlementSumRow
  readonly report_snapshot: ReportSnapshotRow
  readonly report_page: ReportPageRow
  readonly dispute: DisputeRow
  readonly dispute_evidence: DisputeEvidenceRow
  readonly dispute_evidence_part: DisputeEvidencePartRow
  readonly fee_plan: FeePlanRow
  readonly merchant_terms: MerchantTermsRow
  readonly merchant_account: MerchantAccountRow
  readonly payout: PayoutRow
  readonly bank_entry: BankEntryRow
  readonly acquirer_attempt: AcquirerAttemptRow
  readonly terminal: TerminalRow
  readonly card_declines: CardDeclinesRow
  readonly account: AccountRow
  readonly registration: RegistrationRow
  readonly velocity: VelocityRow
  readonly idempotency_key: IdempotencyRow
  readonly unique_key: UniqueKeyRow
  readonly job: JobRow
  readonly event: EventRow
  readonly delivery_attempt: DeliveryAttemptRow
  readonly webhook: WebhookRow
  readonly webhook_key: WebhookKeyRow
  readonly schedule: ScheduleRow
  readonly checkout: CheckoutRow
  readonly visit: SessionRow
}

/** The tables that processes cache completely in memory. */
export type WatchedTable =
  | 'installation'
  | 'entity'
  | 'risk_rules'
  | 'route_list'
  | 'connector'
  | 'access_token'
  | 'webhook'
  | 'webhook_key'
