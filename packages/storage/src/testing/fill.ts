import type { Storage } from '../port.ts'
import * as rows from './sample-rows.ts'

/**
 * Fills every table of an empty storage: `count` transactions, accounts, jobs and velocity rows, and at least one row
 * of each other table.
 */
export async function fill(storage: Storage, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, index) => `p${String(index).padStart(6, '0')}`)
  await storage.commit({
    id: 'fill',
    expectedVersions: [],
    rows: {
      installation: [{ name: 'key-check', value: 'kek-1=00' }],
      entity: [rows.entity('psp', { name: 'Ünïcode 💳 "quoted" \\ and \n lines' })],
      risk_rules: [rows.riskRules('psp'), rows.riskRules('other', { rules: null })],
      route_list: [rows.routeList('psp'), rows.routeList('other', { routes: null })],
      connector: [rows.connector('acme'), rows.connector('sealed', { sealed: Uint8Array.of(1), key_id: 'kek-1' })],
      access_token: [rows.accessToken('t1', { expires_at_ms: Number.MAX_SAFE_INTEGER })],
      transaction_feed: [rows.transactionFeed({ closed_before: 'p000001' })],
      posting: [rows.posting('p000000', { reference: 'r1' }), rows.posting('p000001')],
      ledger_day: [rows.ledgerDay()],
      transaction_day: [rows.transactionDay()],
      settlement_file: [rows.settlementFile('f1')],
      settlement_content: [rows.settlementContent(1)],
      settlement_row: [rows.settlementRow(1)],
      settlement_matching: [rows.settlementMatching('all')],
      settlement_sum: [rows.settlementSum()],
      report_snapshot: [rows.reportSnapshot('s1')],
      report_page: [rows.reportPage(1)],
      dispute: [rows.dispute('p1'), rows.dispute('p2', { stage: 'won', due_on: null })],
      dispute_evidence: [rows.disputeEvidence('x1')],
      dispute_evidence_part: [rows.disputeEvidencePart(1)],
      clearing_batch: [rows.clearingBatch(20_454)],
      sftp_key: [rows.sftpKey('k1')],
      sftp_account: [rows.sftpAccount('a1'), rows.sftpAccount('a2', { sealed: Uint8Array.of(1), key_id: 'kek-1' })],
      sftp_delivery: [rows.sftpDelivery('d1')],
      sftp_delivery_part: [rows.sftpDeliveryPart(1)],
      pulled_file: [rows.pulledFile('north.csv')],
      fee_plan: [rows.feePlan('e1'), rows.feePlan('e1', { starts_at_ms: 1_767_312_000_000, plan: null })],
      merchant_terms: [rows.merchantTerms('e1'), rows.merchantTerms('e2', { terms: null, sealed: Uint8Array.of(1) })],
      merchant_account: [rows.merchantAccount('m1')],
      payout: [rows.payout('po1'), rows.payout('po2', { requested_minor: 5 })],
      bank_entry: [rows.bankEntry('be1'), rows.bankEntry('be2', { reason: 'Ünïcode', payout_id: 'po1' })],
      acquirer_attempt: [rows.acquirerAttempt('a1'), rows.acquirerAttempt('a2', { outcome: '00' })],
      terminal: [rows.terminal('a1/T1')],
      card_declines: [rows.cardDeclines('d1')],
      registration: [rows.registration('r1')],
      webhook: [rows.webhook('w1')],
      webhook_key: [rows.webhookKey('wk1')],
      schedule: [rows.schedule('s1')],
      checkout: [rows.checkout('c1')],
      visit: [rows.session('v1')],
      delivery_attempt: [1, 2, 10].map((number) => rows.deliveryAttempt(number, { http_status: null })),
      event: [rows.event('e1', { payload: '{"amount":"92.00"}' })],
      job: ids.map((id) => rows.job(id)),
      velocity: ids.map((id, index) =>
        rows.velocity(id, { created_at_ms: index % 7, currency: 'USD', amount_minor: -index }),
      ),
      account: ids.map((id, index) =>
        rows.account(id, index % 2 === 0 ? {} : { sealed: null, wrapped_key: null, key_id: null }),
      ),
    },
  })
  await Promise.all(
    ids.map((id, index) =>
      storage.commit({
        id,
        expectedVersions: [rows.expectedVersion(id)],
        claim: index < 3 ? rows.idempotencyKey(id) : undefined,
        unique: index < 3 ? [rows.uniqueKey(id)] : [],
        rows: { payment_transaction: [rows.transaction(id, id, { amount_minor: index })] },
      }),
    ),
  )
  // A tree has a row from its second version on.
  const changed = ids.slice(0, 1).map((id) => rows.expectedVersion(id, 1))
  await storage.commit({ id: 'change', expectedVersions: changed, rows: {} })
}
