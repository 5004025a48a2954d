import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Storage } from '../port.ts'
import * as sample from '../testing/sample-rows.ts'
import { tables } from '../tables.ts'
import { applyLaterMigration, newDatabase, removeDatabase, runSql } from '../testing/index.ts'
import { compiledMigrations } from './compiled-migrations.ts'
import { connect } from './database.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './open.ts'

// During a rolling upgrade, processes of the previous version use a schema that is one migration ahead of them.

let url: string
const open: Storage[] = []
const openStorage = async () => {
  const storage = await openPostgres({ url })
  open.push(storage)
  return storage
}

beforeAll(async () => {
  url = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
})
afterAll(async () => {
  await Promise.all(open.map((each) => each.close()))
  await removeDatabase(url)
})

/** The columns of a table that this program declares. */
const declaredColumns = (name: string): string =>
  Object.keys(Object.entries(tables).find(([table]) => table === name)?.[1].columns ?? {}).join()

/** All rows as texts, by table. @param columnsOf the columns of a table that are compared */
async function contents(
  names: readonly string[],
  columnsOf: (name: string) => string = declaredColumns,
): Promise<Record<string, readonly string[]>> {
  const entries = names.map(async (name): Promise<[string, string[]]> => {
    const columns = columnsOf(name)
    const rows = await runSql<{ row: string }>(
      url,
      `SELECT (SELECT r FROM (SELECT ${columns}) r)::text AS row FROM ${name}`,
    )
    return [name, rows.map(({ row }) => row).toSorted()]
  })
  return Object.fromEntries(await Promise.all(entries))
}

test('the newest migration changes no existing row', async () => {
  const database = await connect(url, 'migrate')
  await migrate(database, compiledMigrations().slice(0, -1))
  const columns = await runSql<{ name: string; columns: string; values: string }>(
    url,
    `SELECT table_name AS name, string_agg(quote_ident(column_name), ',') AS columns,
      string_agg(CASE data_type WHEN 'bigint' THEN '7' WHEN 'bytea' THEN '''\\x07ff''' ELSE '''x''' END, ',') AS values
      FROM information_schema.columns WHERE table_schema = 'public' GROUP BY table_name`,
  )
  const filled = columns.filter(({ name }) => name in tables)
  expect(filled.length).toBeGreaterThan(5)
  for (const each of filled) await runSql(url, `INSERT INTO ${each.name} (${each.columns}) VALUES (${each.values})`)
  const names = filled.map(({ name }) => name)
  const columnsBefore = (name: string) => filled.find((each) => each.name === name)?.columns ?? ''
  const before = await contents(names, columnsBefore)
  expect(Object.values(before).map((rows) => rows.length)).toEqual(names.map(() => 1))
  await migrate(database, compiledMigrations())
  await database.close()
  expect(await contents(names, columnsBefore)).toEqual(before)
  for (const name of names) await runSql(url, `DELETE FROM ${name}`)
})

describe('with rows in every table, and a schema one version ahead with a new column in each,', () => {
  const rows = {
    installation: [{ name: 'n', value: 'v' }],
    entity: [sample.entity('e1')],
    risk_rules: [sample.riskRules('e1')],
    route_list: [sample.routeList('e1')],
    connector: [sample.connector('acme')],
    access_token: [sample.accessToken('t1')],
    payment_transaction: [sample.transaction('p1'), sample.transaction('c1', 'p1')],
    account: [sample.account('a1')],
    posting: [sample.posting('p1')],
    ledger_day: [sample.ledgerDay()],
    transaction_day: [sample.transactionDay()],
    settlement_file: [sample.settlementFile('f1')],
    settlement_content: [sample.settlementContent(1)],
    settlement_row: [sample.settlementRow(1)],
    settlement_matching: [sample.settlementMatching('all')],
    settlement_sum: [sample.settlementSum()],
    report_snapshot: [sample.reportSnapshot('s1')],
    report_page: [sample.reportPage(1)],
    dispute: [sample.dispute('p1')],
    dispute_evidence: [sample.disputeEvidence('x1')],
    dispute_evidence_part: [sample.disputeEvidencePart(1)],
    clearing_batch: [sample.clearingBatch(1)],
    sftp_key: [sample.sftpKey('k1')],
    sftp_account: [sample.sftpAccount('a1')],
    sftp_delivery: [sample.sftpDelivery('d1')],
    sftp_delivery_part: [sample.sftpDeliveryPart(1)],
    pulled_file: [sample.pulledFile('n')],
    fee_plan: [sample.feePlan('e1')],
    merchant_terms: [sample.merchantTerms('e1')],
    merchant_account: [sample.merchantAccount('m1')],
    payout: [sample.payout('po1')],
    bank_entry: [sample.bankEntry('be1')],
    acquirer_attempt: [sample.acquirerAttempt('a1')],
    terminal: [sample.terminal('a1/T1')],
    card_declines: [sample.cardDeclines('d1')],
    registration: [sample.registration('r1')],
    velocity: [sample.velocity('v1')],
    job: [sample.job('j1')],
    event: [sample.event('ev1')],
    delivery_attempt: [sample.deliveryAttempt(1)],
    webhook: [sample.webhook('w1')],
    webhook_key: [sample.webhookKey('k1')],
    schedule: [sample.schedule('s1')],
    checkout: [sample.checkout('c1')],
    visit: [sample.session('v1')],
  }
  const unit = {
    expectedVersions: [sample.expectedVersion('p1')],
    claim: sample.idempotencyKey('i1'),
    unique: [sample.uniqueKey('q1')],
  }
  /** The results of reads that return whole rows, for each table with such a read. */
  const readAll = async (storage: Storage) => [
    await storage.treeOf('p1'),
    await storage.treeOf('c1'),
    await storage.transactions(['c1']),
    await storage.account('a1'),
    await storage.accountsAfter('', 9),
    await storage.registration('r1'),
    await storage.expiredRegistrations(3e12, 9),
    await storage.idempotencyKey('i1'),
    await storage.velocity(sample.velocity('v1').counter, sample.velocity('v1').merchant, 0),
    await storage.velocityBefore(3e12, 9),
    await storage.cardDeclines('d1'),
    await storage.cardDeclinesAfter(0, '', 9),
    await storage.cardDeclinesBefore(3e12, 9),
    await storage.job('j1'),
    await storage.dueJobs('delivery', 'w1', 3e12, 9),
    await storage.jobsBefore('delivery', 'w1', 'z', 9),
    await storage.event('ev1'),
    await storage.eventsBelow('z', 9),
    await storage.attemptsOf('j1'),
    await storage.webhooks(),
    await storage.webhookKeys(),
    await storage.schedule('s1'),
    await storage.checkout('c1'),
    await storage.session('v1'),
    await storage.entities(),
    await storage.riskRules(),
    await storage.routeLists(),
    await storage.connectors(),
    await storage.accessTokens(),
    await storage.transactionFeed('transactions'),
    await storage.rootsFrom('', 'z', 9),
    await storage.childrenFrom('', 'z', 9),
    await storage.lateTransactions('', 'z', 9),
    await storage.postingsOf('p1'),
    await storage.ledgerDays(sample.ledgerDay().merchant, 0, 99_999),
    await storage.transactionDays(sample.ledgerDay().merchant, 0, 99_999),
    await storage.settlementFile('f1'),
    await storage.settlementContent('c1', 1),
    await storage.settlementRow('f1', 1),
    await storage.settlementDay(sample.settlementRow(1).merchant, sample.settlementRow(1).settled_on),
    await storage.sftpKeys(),
    await storage.sftpAccounts(),
    await storage.sftpDelivery('d1'),
    await storage.sftpDeliveryPart('d1', 1),
    await storage.pulledFile('a1', 'n'),
    await storage.dispute('p1'),
    await storage.evidenceOf('p1'),
    await storage.evidencePart('x1', 1),
    await storage.merchantTerms(),
    await storage.settlementMatching('all'),
    await storage.merchantAccount('m1'),
    await storage.payout('po1'),
    await storage.payoutsBefore(3e12, '', '%', 9),
    await storage.bankEntry('be1'),
    await storage.bankEntriesAfter('unmatched', '', '', 9),
    await storage.ledgerDaysOfAcquirer('acme', 20_454),
    await storage.clearingBatch('acme/1'),
    await storage.clearingBatchesBefore('acme', 9, 9),
    await storage.clearingBatchesToCompare('acme', 9, 9),
    await storage.clearingBatchesAfter('', 0, 9, 9),
    await storage.feePlans(),
    await storage.installation('n'),
  ]
  let running: Storage
  let before: Awaited<ReturnType<typeof readAll>>

  beforeAll(async () => {
    running = await openStorage()
    const feed = [sample.transactionFeed({ closed_before: 'z' })]
    await running.commit({ id: 'feed', expectedVersions: [], rows: { transaction_feed: feed } })
    await running.commit({ id: 'u1', ...unit, rows })
    await running.commit({ id: 'u0', expectedVersions: [sample.expectedVersion('p1', 1)], rows: {} })
    before = await readAll(running)
    expect(
      (await Promise.all(Object.keys(tables).map((name) => contents([name])))).flatMap(Object.values),
    ).not.toContainEqual([])
    await applyLaterMigration(
      url,
      Object.keys(tables).map((name) => `ALTER TABLE ${name} ADD COLUMN later text DEFAULT 'later'`),
    )
  })

  test('a running process continues to read, write, compare-and-set and lease jobs', async () => {
    expect(await readAll(running)).toEqual(before)
    expect(await running.leaseJobs('delivery', 'w1', 3e12, 9, 0)).toMatchObject([{ id: 'j1' }])
    const account = await running.account('a1')
    if (!account) throw new Error('the account is missing')
    const compareAndSets = [{ table: 'account' as const, from: account, to: { ...account, holder: 'Jo' } }]
    const addition = {
      expectedVersions: [sample.expectedVersion('p1', 2)],
      compareAndSets,
      rows: { payment_transaction: [sample.transaction('c2', 'p1')] },
    }
    expect(await running.commit({ id: 'u2', ...addition })).toEqual({ kind: 'committed' })
    expect(await running.account('a1')).toEqual({ ...account, holder: 'Jo' })
    expect(await runSql(url, 'SELECT DISTINCT later FROM payment_transaction')).toEqual([{ later: 'later' }])
  })

  test('a process that starts reads and writes the same rows as a running one', async () => {
    const started = await openStorage()
    const unitOfPayment = {
      expectedVersions: [sample.expectedVersion('p2')],
      rows: { payment_transaction: [sample.transaction('p2')] },
    }
    expect(await started.commit({ id: 'u3', ...unitOfPayment })).toEqual({ kind: 'committed' })
    expect(await running.treeOf('p2')).toEqual(await started.treeOf('p2'))
  })

  test('no process starts on a schema two versions ahead, and a running one continues', async () => {
    await applyLaterMigration(url, ['CREATE TABLE even_later (x text)'])
    await expect(openPostgres({ url })).rejects.toMatchObject({ kind: 'incompatible' })
    expect(await running.treeOf('p1')).toBeDefined()
  })
})
