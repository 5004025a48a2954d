import { postTransactions, sandboxIds } from '@tollgate/operations'
import { selfSignedCertificate } from './certificate.ts'
import { hostSettings } from './host-settings.ts'
import { monthlyPlan, createSubscriber } from './subscription.ts'
import { cardPayment, type Parameters, type TestAnswer, type TestGateway } from './test-gateway.ts'
import { type SubscribedWebhook, subscribe } from './webhook-receiver.ts'

/** Ids of some of the stored rows, a webhook, and a request with an idempotency key. */
export interface FilledData {
  readonly debit: string
  readonly authorisation: string
  readonly capture: string
  readonly refund: string
  readonly registration: string
  readonly plan: string
  /** A file of evidence of the dispute of the debit. */
  readonly evidence: string
  /** An SFTP target. */
  readonly target: string
  readonly webhook: SubscribedWebhook
  /** An idempotency key, its request, and the id in the answer. */
  readonly idempotent: { readonly key: string; readonly form: Parameters; readonly id: string }
}

/** Sends requests that fill every table. The gateway needs a bank for redirects. */
export async function fillData(tollgate: TestGateway): Promise<FilledData> {
  const { send, manage, gateway } = tollgate
  const channelPath = `/entities/${sandboxIds.channel}`
  const bodyOf = ({ status, body }: TestAnswer) => {
    if (status !== 200) throw new Error(`refused: ${JSON.stringify(body)}`)
    return body
  }
  const post = async (path: string, form: Parameters, headers: Parameters = {}): Promise<string> =>
    bodyOf(await send('POST', path, form, headers)).id
  const followUp = (id: string, paymentType: string, amount: string) =>
    post(`/v1/payments/${id}`, { paymentType, amount, currency: 'EUR' })

  const debit = await post('/v1/payments', cardPayment())
  const authorisation = await post('/v1/payments', cardPayment({ paymentType: 'PA' }))
  const capture = await followUp(authorisation, 'CP', '60.00')
  const refund = await followUp(capture, 'RF', '10.00')
  const webhook = await subscribe(tollgate, { entityId: sandboxIds.channel })
  bodyOf(await manage('PATCH', channelPath, { settings: { uniqueMerchantTransactionId: true } }))
  const when = { kind: 'count', by: 'customer.ip', above: 90, withinSeconds: 60 }
  bodyOf(await manage('PUT', `${channelPath}/risk-rules`, { rules: [{ name: 'too many', when, verdict: 'reject' }] }))
  await addConnector(tollgate)
  bodyOf(await manage('PUT', `${channelPath}/routes`, { routes: [{ name: 'r', targets: [{ connector: 'acme' }] }] }))
  const registration = await createSubscriber(tollgate)
  const plan = await post('/scheduling/v1/schedules', monthlyPlan(registration))
  const customer = { 'customer.ip': '192.0.2.1', 'customer.givenName': 'Jane', 'customer.surname': 'Jones' }
  const form = cardPayment({ merchantTransactionId: 'order-00001', ...customer })
  const id = await post('/v1/payments', form, { 'idempotency-key': 'the-first-order' })
  const prepared = { amount: '15.90', currency: 'EUR', paymentType: 'DB', shopperResultUrl: 'https://shop.example/' }
  const checkout = await post('/v1/checkouts', prepared)
  await post(`/v1/checkouts/${checkout}/payment`, { entityId: undefined, paymentBrand: 'PAYPAL' })
  await addAttempt(tollgate, debit)
  await gateway.jobs.fastForward(gateway.clock.now())
  await fillLedger(tollgate, debit)
  await fillSettlement(tollgate, debit)
  const evidence = await fillDispute(tollgate, debit)
  const target = await fillSftp(tollgate)
  return {
    debit,
    authorisation,
    capture,
    refund,
    registration,
    plan,
    evidence,
    target,
    webhook,
    idempotent: { key: 'the-first-order', form, id },
  }
}

/** Opens the dispute of a payment with a file of evidence. @returns the id of the file */
async function fillDispute({ manage }: TestGateway, paymentId: string): Promise<string> {
  await manage('POST', '/disputes', { transactionId: paymentId })
  const path = `/disputes/${paymentId}/evidence?kind=receipt&name=receipt.txt`
  const { status, body } = await manage('POST', path, Buffer.from('a receipt'))
  if (status !== 201) throw new Error(`refused: ${JSON.stringify(body)}`)
  return body.id
}

/** Adds a connector with credentials. Its links are not open. */
async function addConnector({ manage }: TestGateway): Promise<void> {
  const { cert: certificate, key } = selfSignedCertificate(['gateway.example'])
  const settings = hostSettings(7, { tls: {} })
  const connector = { name: 'acme', kind: 'iso8583', settings, credentials: { certificate, key } }
  const { status, body } = await manage('POST', '/connectors', connector)
  if (status !== 201) throw new Error(`refused: ${JSON.stringify(body)}`)
}

/** Adds an attempt, a terminal and the declines of a card, as if a payment had been sent to an acquirer's host. */
async function addAttempt({ gateway: { storage, clock } }: TestGateway, paymentId: string): Promise<void> {
  const [row] = await storage.transactions([paymentId])
  if (!row) throw new Error(`payment ${paymentId} is not stored`)
  const attempt = {
    transaction_id: row.id,
    id: row.id,
    merchant: row.merchant,
    kind: 'request',
    connector: 'external',
    sent_as: '{}',
    outcome: '00',
    created_at_ms: clock.now(),
    settlement_day: null,
  }
  const terminal = { id: 'external/T1', held_by: null, held_until_ms: 0, day: 0, next_trace: 1 }
  const declines = {
    id: 'd'.repeat(64),
    merchant: row.merchant,
    declines: '{"declinedAtMs":[],"advices":[]}',
    changed_at_ms: clock.now(),
    expires_at_ms: clock.now(),
  }
  await storage.commit({
    id: row.id,
    expectedVersions: [],
    rows: { acquirer_attempt: [attempt], terminal: [terminal], card_declines: [declines] },
  })
}

/** Adds a fee plan, the entries of the ledger, and a transaction that is stored after the ledger has passed its id. */
async function fillLedger({ gateway, clock }: TestGateway, paymentId: string): Promise<void> {
  const { storage, ids } = gateway
  const plan = { entity_id: sandboxIds.merchant, starts_at_ms: 0, plan: '{"fees":[]}', created_at_ms: clock.nowMs }
  await storage.commit({ id: ids.ordered(), expectedVersions: [], rows: { fee_plan: [plan] } })
  const id = ids.ordered()
  clock.nowMs += 60_000
  const task = postTransactions(gateway)
  while ((await task.step()) === 'more');
  const [row] = await storage.transactions([paymentId])
  if (!row) throw new Error(`payment ${paymentId} is not stored`)
  await storage.commit({
    id,
    expectedVersions: [{ id, merchant: row.merchant, version: 0 }],
    rows: { payment_transaction: [{ ...row, id, root_id: id }] },
  })
}

/** Adds an SFTP target with a delivery of the settled row, and a pulled file. */
async function fillSftp({ gateway, manage, clock }: TestGateway): Promise<string> {
  const { storage, ids } = gateway
  const server = { host: '127.0.0.1', port: 22, username: 'u', hostKeys: [`SHA256:${'A'.repeat(43)}`] }
  const target = { entityId: sandboxIds.merchant, purpose: 'reconciliationRecord', server }
  const { body } = await manage('POST', '/sftp-targets', { ...target, credentials: { password: 'p' } })
  const deliveryId = `${body.id}-2026-05-05`
  const [row] = await storage.settlementRowsAfter(FILE_ID, 0, 1)
  if (!row) throw new Error('no settled row is stored')
  const times = { created_at_ms: clock.nowMs, changed_at_ms: clock.nowMs, delivered_at_ms: clock.nowMs }
  await storage.commit({
    id: ids.ordered(),
    expectedVersions: [],
    compareAndSets: [{ table: 'settlement_row', from: row, to: { ...row, delivery_id: deliveryId } }],
    rows: {
      sftp_delivery: [
        {
          id: deliveryId,
          account_id: body.id,
          day: '2026-05-05',
          file_name: 'r.csv',
          state: 'delivered',
          rows: 1,
          parts: 1,
          size_bytes: 1,
          job_id: null,
          ...times,
        },
      ],
      sftp_delivery_part: [{ delivery_id: deliveryId, number: 1, start_bytes: 0, bytes: Uint8Array.of(1) }],
      pulled_file: [
        {
          account_id: body.id,
          name: 'north.csv',
          size_bytes: 1,
          modified_at_ms: clock.nowMs,
          outcome: 'received',
          file_id: FILE_ID,
          pulled_at_ms: clock.nowMs,
        },
      ],
    },
  })
  return body.id
}

const FILE_ID = 'f'.repeat(32)
const PAYOUT_ID = 'c'.repeat(32)

/** Adds a cleared day, a settlement file with a row for a payment, a payout, and a key of the SFTP server. */
async function fillSettlement({ gateway, clock, manage }: TestGateway, paymentId: string): Promise<void> {
  const { storage, ids } = gateway
  const [row] = await storage.transactions([paymentId])
  if (!row) throw new Error(`payment ${paymentId} is not stored`)
  const account = { holder: 'Shop Ltd', iban: 'DE89370400440532013000' }
  await manage('POST', `/entities/${row.merchant}/merchant-terms`, { payouts: { schedule: 'manual', account } })
  const fileId = FILE_ID
  const contentId = ids.ordered()
  await storage.commit({
    id: ids.ordered(),
    expectedVersions: [],
    rows: {
      clearing_batch: [
        {
          id: 'acme/2026-05-04',
          acquirer: 'acme',
          day: 20_577,
          state: 'agreed',
          totals: '{}',
          attempts: 1,
          changed_at_ms: clock.nowMs,
          file: null,
        },
      ],
      merchant_account: [{ merchant: row.merchant, available_to: 20_000, released_to: 0, paid_to: 0, changes: 1 }],
      payout: [
        {
          id: PAYOUT_ID,
          merchant: row.merchant,
          currency: 'EUR',
          amount_minor: 100,
          state: 'confirmed',
          origin: 'operator',
          requested_minor: 100,
          terms_entity_id: row.merchant,
          terms_starts_at_ms: 0,
          holder: 'Shop Ltd',
          last4: '3000',
          created_at_ms: clock.nowMs,
          changed_at_ms: clock.nowMs,
        },
      ],
      bank_entry: [
        {
          id: 'b'.repeat(32),
          file_id: fileId,
          number: 1,
          account: 'DE02701500000000594937',
          booked_on: '2026-05-05',
          value_on: null,
          amount_minor: 100,
          currency: 'EUR',
          direction: 'DEBIT',
          booking: 'PAYOUT',
          reference: null,
          end_to_end_id: PAYOUT_ID,
          rows_minor: 0,
          state: 'explained',
          reason: '',
          payout_id: PAYOUT_ID,
          explanation: JSON.stringify({ kind: 'payout', merchant: row.merchant }),
          changes: 0,
          created_at_ms: clock.nowMs,
          changed_at_ms: clock.nowMs,
        },
      ],
      settlement_content: [{ content_id: contentId, number: 1, bytes: Uint8Array.of(1) }],
      settlement_file: [
        {
          id: fileId,
          digest: fileId + fileId,
          content_id: contentId,
          name: 'settlement.csv',
          arrived_by: 'upload',
          state: 'read',
          format: 'tollgate-csv',
          institute: 'Acme',
          file_id: 'F1',
          facts: '{}',
          fault: null,
          size_bytes: 1,
          rows: 1,
          rows_read: 1,
          created_at_ms: clock.nowMs,
          changed_at_ms: clock.nowMs,
          bank_entries_read: null,
          bank_entry_id: null,
          statement: null,
        },
      ],
      sftp_key: [
        {
          id: 'e'.repeat(32),
          entity_id: row.merchant,
          label: 'import',
          public_key: 'ssh-ed25519 AAAA',
          fingerprint: 'SHA256:a',
          created_at_ms: clock.nowMs,
          last_used_at_ms: null,
          revoked_at_ms: null,
        },
      ],
      settlement_row: [
        {
          file_id: fileId,
          number: 1,
          merchant: row.merchant,
          channel: row.channel,
          kind: 'SETTLED',
          status: 'MATCHED',
          transaction_id: row.id,
          candidates: null,
          reason: 'acquirer reference',
          settled_on: '2026-05-05',
          row: '{}',
          chargeback_id: null,
          changed_at_ms: clock.nowMs,
          acquirer: 'acme',
          booking: null,
          delivery_id: null,
          aggregation_id: 'a'.repeat(32),
          presented_at_ms: clock.nowMs,
        },
      ],
      settlement_matching: [{ id: 'all', changes: 1 }],
      settlement_sum: [
        {
          merchant: row.merchant,
          settled_on: '2026-05-05',
          aggregation_id: 'a'.repeat(32),
          kind: 'SETTLED',
          type: 'DEBIT',
          cashflow: 'POS',
          outcome: 'SUCCESS',
          channel: row.channel,
          clearing_merchant_id: 'ACME0001',
          settlement_id: 'S1',
          currency: 'EUR',
          records: 1,
          amount_minor: 9200,
          fee_minor: 0,
          changes: 1,
        },
      ],
      report_snapshot: [
        {
          id: 'b'.repeat(64),
          content_id: 'c'.repeat(32),
          pages: 1,
          changes: 1,
          created_at_ms: clock.nowMs,
          expires_at_ms: clock.nowMs,
        },
      ],
      report_page: [{ content_id: 'c'.repeat(32), number: 1, items: '[]', expires_at_ms: clock.nowMs }],
    },
  })
}
