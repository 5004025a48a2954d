import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '@tollgate/storage'
import { newDatabase, removeDatabase, runSql, runSqlite } from '@tollgate/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { testBank } from '../../testing/bank.ts'
import { type FilledData, fillData } from '../../testing/fill-data.ts'
import { testGateway } from '../../testing/test-gateway.ts'
import { CLOCK_REPAIR } from '../../runtime/clock/stored-clock.ts'
import { moveData } from '../move-data.ts'
import { references } from './checks.ts'
import { examineData } from './examine-data.ts'

let folder = ''
let filled: FilledData
let kinds: readonly string[] = []
const intactFile = () => join(folder, 'intact.db')
const file = () => join(folder, 'tollgate.db')

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-doctor-'))
  const tollgate = await testGateway({
    storage: await openSqlite({ file: intactFile() }),
    data: folder,
    redirects: testBank().connector,
  })
  filled = await fillData(tollgate)
  kinds = tollgate.gateway.jobs.kinds().map(({ name }) => name)
  await filled.webhook.receiver.close()
  await tollgate.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

const configOf = (env: Readonly<Record<string, string>> = {}) => readConfig({ TOLLGATE_DATA: folder, ...env })

async function findingsIn(env: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const findings: string[] = []
  const examined = await examineData(
    configOf(env),
    (finding) => findings.push(finding),
    () => undefined,
  )
  expect(examined.findings).toBe(findings.length)
  return findings
}

/** SQL that causes a fault, and the expected findings. Both may refer to ids of the test data, such as $debit. */
type FaultCase = readonly [sql: string, finding: string, secondFinding?: string]

const withIds = (text: string) =>
  text.replaceAll(/\$(\w+)/g, (_, name: string) => {
    const id: unknown = name === 'webhook' ? filled.webhook.id : Reflect.get(filled, name)
    return String(id)
  })

/** SQL that inserts a copy of a row with some columns changed. */
const copyOf = (table: string, changes: Readonly<Record<string, string>>, where = 'true') => {
  const set = Object.entries(changes).map(([column, value]) => `${column} = '${value}'`)
  return `CREATE TABLE c AS SELECT * FROM ${table} WHERE ${where} LIMIT 1; UPDATE c SET ${set.join(', ')};
    INSERT INTO ${table} SELECT * FROM c; DROP TABLE c`
}
/** Assigns JSON to the packed columns of a transaction, which has no record then; one of them gets the given text. */
const textsWith = (column: string, text: string): string =>
  ['facts', 'echo', 'outcome']
    .map((name) => `${name} = '${name === column ? text : '{}'}'`)
    .concat('record = NULL')
    .join(', ')
const copyOfJob = (changes: Readonly<Record<string, string>>) =>
  `${copyOf('job', { id: 'new', ...changes })}; UPDATE job SET parked_at_ms = NULL, done_at_ms = NULL WHERE id = 'new'`

const WITHOUT_NUMBER = 'sealed = NULL, wrapped_key = NULL, key_id = NULL'

const referenceFaults: readonly FaultCase[] = [
  [copyOf('entity', { id: 'new', parent_id: 'gone' }), 'entity new: parent_id names no entity'],
  [copyOf('risk_rules', { entity_id: 'gone' }), 'risk_rules gone: entity_id names no entity'],
  [copyOf('route_list', { entity_id: 'gone' }), 'route_list gone: entity_id names no entity'],
  [copyOf('access_token', { id: 'new', entity_id: 'gone' }), 'access_token new: entity_id names no entity'],
  [`INSERT INTO tree VALUES ('gone', 'm', 1)`, 'tree gone m: id names no root transaction'],
  [
    `UPDATE payment_transaction SET ${textsWith('facts', '{}')} WHERE id = '$capture';
      ${copyOf('payment_transaction', { id: 'new', root_id: 'gone' }, `id = '$capture'`)}`,
    'payment_transaction gone new MERCHANT: root_id names no root transaction',
  ],
  [
    `UPDATE payment_transaction SET channel = 'gone' WHERE id = '$debit'`,
    'payment_transaction $debit $debit MERCHANT: channel names no entity',
  ],
  [
    `UPDATE payment_transaction SET account_id = 'gone' WHERE id = '$debit'`,
    'payment_transaction $debit $debit MERCHANT: account_id names no account',
  ],
  [
    `UPDATE payment_transaction SET registration_id = 'gone' WHERE id = '$debit'`,
    'payment_transaction $debit $debit MERCHANT: registration_id names no registration',
  ],
  [
    `UPDATE account SET sealed = NULL, wrapped_key = NULL, key_id = NULL WHERE id = '$debit';
      ${copyOf('account', { id: 'gone' }, `id = '$debit'`)}`,
    'account gone MERCHANT: id names no payment transaction',
  ],
  [
    copyOf('acquirer_attempt', { transaction_id: 'gone', id: 'new' }),
    'acquirer_attempt gone new MERCHANT: transaction_id names no payment transaction',
  ],
  [copyOf('late_transaction', { id: 'gone' }), 'late_transaction gone ACK MERCHANT: id names no payment transaction'],
  [
    copyOf('posting', { transaction_id: 'gone' }, `kind = 'refund'`),
    'posting gone refund MERCHANT: transaction_id names no payment transaction',
  ],
  [
    `DELETE FROM ledger_day WHERE kind <> 'refund'; UPDATE ledger_day SET merchant = 'gone', day = 1`,
    'ledger_day gone 1 simulator EUR refund: merchant names no entity',
  ],
  [
    `DELETE FROM transaction_day WHERE type <> 'RF'; UPDATE transaction_day SET channel = 'gone', day = 1`,
    'transaction_day MERCHANT 1 gone RF CC VISA EUR simulator  ACK: channel names no entity',
  ],
  [`UPDATE settlement_row SET file_id = 'gone'`, 'settlement_row gone 1: file_id names no settlement file'],
  [
    `UPDATE settlement_row SET transaction_id = 'gone'`,
    `settlement_row ${'f'.repeat(32)} 1: transaction_id names no payment transaction`,
  ],
  [copyOf('dispute', { id: 'gone' }), 'dispute gone: id names no payment transaction'],
  [copyOf('dispute_evidence', { id: 'new', dispute_id: 'gone' }), 'dispute_evidence new: dispute_id names no dispute'],
  [
    `UPDATE dispute_evidence_part SET evidence_id = 'gone'`,
    'dispute_evidence_part gone 1: evidence_id names no dispute evidence',
  ],
  [`UPDATE sftp_key SET entity_id = 'gone'`, `sftp_key ${'e'.repeat(32)}: entity_id names no entity`],
  [
    `UPDATE settlement_row SET delivery_id = 'gone'`,
    `settlement_row ${'f'.repeat(32)} 1: delivery_id names no sftp delivery`,
  ],
  [`UPDATE sftp_account SET entity_id = 'gone'`, 'sftp_account $target: entity_id names no entity'],
  [
    `UPDATE sftp_delivery SET account_id = 'gone'`,
    'sftp_delivery $target-2026-05-05: account_id names no sftp account',
  ],
  [
    `UPDATE sftp_delivery_part SET delivery_id = 'gone'`,
    'sftp_delivery_part gone 1: delivery_id names no sftp delivery',
  ],
  [`UPDATE pulled_file SET account_id = 'gone'`, 'pulled_file gone north.csv: account_id names no sftp account'],
  [`UPDATE pulled_file SET file_id = 'gone'`, 'pulled_file $target north.csv: file_id names no settlement file'],
  [copyOfJob({ kind: 'file-delivery', subject_id: 'gone' }), 'job new MERCHANT: subject_id names no sftp delivery'],
  [
    `UPDATE settlement_sum SET channel = 'gone'`,
    `settlement_sum MERCHANT 2026-05-05 ${'a'.repeat(32)} SETTLED DEBIT POS SUCCESS gone ACME0001 S1 EUR: ` +
      'channel names no entity',
  ],
  [copyOfJob({ kind: 'settlement-pull', subject_id: 'gone' }), 'job new MERCHANT: subject_id names no sftp account'],
  [`UPDATE fee_plan SET entity_id = 'gone', starts_at_ms = 1`, 'fee_plan gone 1: entity_id names no entity'],
  [
    `UPDATE merchant_terms SET entity_id = 'gone', starts_at_ms = 1, ${WITHOUT_NUMBER}`,
    'merchant_terms gone 1: entity_id names no entity',
  ],
  [`UPDATE merchant_account SET merchant = 'gone'`, 'merchant_account gone: merchant names no entity'],
  [copyOf('payout', { id: 'new', merchant: 'gone' }), 'payout new: merchant names no entity'],
  [copyOf('bank_entry', { id: 'new', file_id: 'gone' }), 'bank_entry new: file_id names no settlement file'],
  [
    `UPDATE settlement_file SET bank_entry_id = 'gone'`,
    `settlement_file ${'f'.repeat(32)}: bank_entry_id names no bank entry`,
  ],
  [copyOf('bank_entry', { id: 'new', payout_id: 'gone' }), 'bank_entry new: payout_id names no payout'],
  [copyOf('card_declines', { id: 'new', merchant: 'gone' }), 'card_declines new gone: merchant names no entity'],
  [copyOf('registration', { id: 'gone' }), 'registration gone MERCHANT: id names no root transaction'],
  [`UPDATE registration SET account_id = 'gone'`, 'registration $registration MERCHANT: account_id names no account'],
  [
    copyOf('velocity', { counter: 'c', id: 'gone' }).replace('UPDATE c SET', 'UPDATE c SET created_at_ms = 1,'),
    'velocity c MERCHANT 1 gone: id names no payment transaction',
  ],
  [copyOf('idempotency_key', { id: 'new', merchant: 'gone' }), 'idempotency_key new gone: merchant names no entity'],
  [
    copyOf('unique_key', { id: 'new', transaction_id: 'gone' }),
    'unique_key new MERCHANT: transaction_id names no payment transaction',
  ],
  [copyOfJob({ kind: 'end-attempt', subject_id: 'gone' }), 'job new MERCHANT: subject_id names no payment transaction'],
  [
    copyOfJob({ kind: 'end-authorisation', subject_id: 'gone' }),
    'job new MERCHANT: subject_id names no root transaction',
  ],
  [copyOfJob({ kind: 'end-registration', subject_id: 'gone' }), 'job new MERCHANT: subject_id names no registration'],
  [copyOfJob({ kind: 'run-schedule', subject_id: 'gone' }), 'job new MERCHANT: subject_id names no schedule'],
  [copyOfJob({ kind: 'follow-visit', subject_id: 'gone' }), 'job new MERCHANT: subject_id names no visit'],
  [copyOfJob({ kind: 'safety-call', subject_id: 'gone' }), 'job new MERCHANT: subject_id names no checkout'],
  [
    copyOfJob({ kind: 'delivery', lane: '$webhook', subject_id: 'gone' }),
    'job new MERCHANT: subject_id names no event',
  ],
  [
    `${copyOfJob({ kind: 'delivery', lane: 'gone' })};
      UPDATE job SET subject_id = (SELECT id FROM event LIMIT 1) WHERE id = 'new'`,
    'job new MERCHANT: lane names no webhook',
  ],
  [copyOf('event', { id: 'new', root_id: 'gone' }), 'event new MERCHANT: root_id names no root transaction'],
  [copyOf('event', { id: 'new', entity_id: 'gone' }), 'event new MERCHANT: entity_id names no entity'],
  [
    copyOf('delivery_attempt', { delivery_id: 'gone' }).replace('UPDATE c SET', 'UPDATE c SET number = 1,'),
    'delivery_attempt gone 1 MERCHANT: delivery_id names no job',
  ],
  [`UPDATE webhook SET entity_id = 'gone'`, 'webhook $webhook: entity_id names no entity'],
  [
    `UPDATE webhook_key SET id = 'k', webhook_id = 'gone'`,
    'webhook_key k: webhook_id names no webhook',
    'webhook_key k: its key cannot be opened: the record was altered, or sealed for another row or merchant',
  ],
  [copyOf('schedule', { id: 'gone', chain_id: '$plan' }), 'schedule gone MERCHANT: id names no payment transaction'],
  [`UPDATE schedule SET registration_id = 'gone'`, 'schedule $plan MERCHANT: registration_id names no registration'],
  [`UPDATE schedule SET chain_id = 'gone'`, 'schedule $plan MERCHANT: chain_id names no schedule'],
  [copyOf('checkout', { id: 'new', entity_id: 'gone' }), 'checkout new MERCHANT: entity_id names no entity'],
  [
    copyOf('checkout', { id: 'new', transaction_id: 'gone' }),
    'checkout new MERCHANT: transaction_id names no payment transaction',
  ],
  [
    copyOf('visit', { id: 'new', transaction_id: 'gone' }),
    'visit new MERCHANT: transaction_id names no payment transaction',
  ],
]

const jsonFaults: readonly FaultCase[] = [
  [`UPDATE clearing_batch SET totals = '{'`, 'clearing_batch acme/2026-05-04: totals is not JSON'],
  [`UPDATE settlement_file SET facts = '{'`, `settlement_file ${'f'.repeat(32)}: facts is not JSON`],
  [`UPDATE settlement_file SET fault = '{'`, `settlement_file ${'f'.repeat(32)}: fault is not JSON`],
  [`UPDATE settlement_row SET row = '{'`, `settlement_row ${'f'.repeat(32)} 1: row is not JSON`],
  [`UPDATE settlement_row SET candidates = '{'`, `settlement_row ${'f'.repeat(32)} 1: candidates is not JSON`],
  [`UPDATE dispute SET history = '['`, 'dispute $debit: history is not JSON'],
  [`UPDATE sftp_account SET settings = '{'`, 'sftp_account $target: settings is not JSON'],
  [
    `UPDATE settlement_sum SET currency = 'EUX'`,
    `settlement_sum MERCHANT 2026-05-05 ${'a'.repeat(32)} SETTLED DEBIT POS SUCCESS CHANNEL ACME0001 S1 EUX: ` +
      'currency has a value unknown to this version',
  ],
  [`UPDATE report_page SET items = '['`, `report_page ${'c'.repeat(32)} 1: items is not JSON`],
  [
    `UPDATE merchant_terms SET terms = '{', starts_at_ms = 1, ${WITHOUT_NUMBER}`,
    'merchant_terms MERCHANT 1: terms is not JSON',
  ],
  [copyOf('bank_entry', { id: 'new', explanation: '{' }), 'bank_entry new: explanation is not JSON'],
  [`UPDATE fee_plan SET plan = '{', starts_at_ms = 1`, 'fee_plan MERCHANT 1: plan is not JSON'],
  [
    `UPDATE entity SET settings = '{' WHERE id = '70119a7e5eed00000000000000000c00'`,
    'entity CHANNEL: settings is not JSON',
  ],
  [`UPDATE risk_rules SET rules = ''`, 'risk_rules CHANNEL: rules is not JSON'],
  [`UPDATE route_list SET routes = '['`, 'route_list CHANNEL: routes is not JSON'],
  [`UPDATE connector SET settings = '{'`, 'connector acme: settings is not JSON'],
  ...['facts', 'echo', 'outcome'].map(
    (column): FaultCase => [
      `UPDATE payment_transaction SET ${textsWith(column, '{')} WHERE id = '$debit'`,
      `payment_transaction $debit $debit MERCHANT: ${column} is not JSON`,
    ],
  ),
  [`UPDATE account SET details = '' WHERE id = '$debit'`, 'account $debit MERCHANT: details is not JSON'],
  [`UPDATE registration SET agreements = '['`, 'registration $registration MERCHANT: agreements is not JSON'],
  [`UPDATE idempotency_key SET id = 'k', answer = 'x'`, 'idempotency_key k MERCHANT: answer is not JSON'],
  [copyOf('event', { id: 'new', payload: '{{' }), 'event new MERCHANT: payload is not JSON'],
  [`UPDATE webhook SET settings = '{'`, 'webhook $webhook: settings is not JSON'],
  [`UPDATE schedule SET plan = '{'`, 'schedule $plan MERCHANT: plan is not JSON'],
  [copyOf('checkout', { id: 'new', parameters: '{' }), 'checkout new MERCHANT: parameters is not JSON'],
  [copyOf('visit', { id: 'new', parameters: '{' }), 'visit new MERCHANT: parameters is not JSON'],
  [copyOf('visit', { id: 'new', progress: '{' }), 'visit new MERCHANT: progress is not JSON'],
]

const valueFaults: readonly FaultCase[] = [
  [
    `UPDATE posting SET kind = 'gone' WHERE kind = 'refund'`,
    'posting $refund gone MERCHANT: kind has a value unknown to this version',
  ],
  ...(
    [
      ['status', 'ACJ'],
      ['currency', 'EUQ'],
      ['brand', 'VISB'],
      ['method', 'XX'],
      ['test_mode', 'INTERNAK'],
      ['result_code', '000.100.11p'],
    ] as const
  ).map(
    ([column, value]): FaultCase => [
      `UPDATE payment_transaction SET ${column} = '${value}' WHERE id = '$debit'`,
      `payment_transaction $debit $debit MERCHANT: ${column} has a value unknown to this version`,
    ],
  ),
  [
    `UPDATE entity SET kind = 'channem' WHERE id = '70119a7e5eed00000000000000000c00'`,
    'entity CHANNEL: kind has a value unknown to this version',
  ],
  [`UPDATE access_token SET id = 't', hash = x'00'`, 'access_token t: hash does not have 32 bytes'],
  [`UPDATE access_token SET id = 't', rights = 'systen'`, 'access_token t: rights has a value unknown to this version'],
  [
    `UPDATE account SET kind = 'carc' WHERE id = '$debit'`,
    'account $debit MERCHANT: kind has a value unknown to this version',
  ],
  [
    `UPDATE account SET created_at_ms = 4503599627370496 WHERE id = '$debit'`,
    'account $debit MERCHANT: created_at_ms is not a time between 1970 and 2200',
  ],
  [copyOf('visit', { id: 'new', kind: 'banl' }), 'visit new MERCHANT: kind has a value unknown to this version'],
  [
    `UPDATE installation SET value = 'NaN' WHERE name = 'clock-ahead-ms';
      INSERT OR IGNORE INTO installation VALUES ('clock-ahead-ms', 'NaN')`,
    `installation clock-ahead-ms: ${CLOCK_REPAIR}`,
  ],
  [
    `UPDATE account SET last4 = '0001' WHERE id = '$debit'`,
    'account $debit MERCHANT: last4 differs from the end of the number',
  ],
  [`UPDATE dispute SET stage = 'x'`, 'dispute $debit: stage has a value unknown to this version'],
  [`UPDATE dispute_evidence SET kind = 'x'`, 'dispute_evidence $evidence: kind has a value unknown to this version'],
  [
    `UPDATE dispute_evidence SET content_type = 'x'`,
    'dispute_evidence $evidence: content_type has a value unknown to this version',
  ],
  [copyOf('payout', { id: 'new', state: 'gone' }), 'payout new: state has a value unknown to this version'],
  [copyOf('bank_entry', { id: 'new', state: 'gone' }), 'bank_entry new: state has a value unknown to this version'],
  [`UPDATE sftp_account SET state = 'idle'`, 'sftp_account $target: state has a value unknown to this version'],
  [`UPDATE sftp_account SET purpose = 'x'`, 'sftp_account $target: purpose has a value unknown to this version'],
  [`UPDATE connector SET state = 'idle'`, 'connector acme: state has a value unknown to this version'],
  [
    `UPDATE account SET bin = '420001' WHERE id = '$debit'`,
    'account $debit MERCHANT: bin differs from the start of the number',
  ],
  [
    `UPDATE account SET fingerprint = zeroblob(32) WHERE id = '$debit'`,
    'account $debit MERCHANT: fingerprint differs from that of the number',
  ],
]

const ALTERED = 'cannot be opened: the record was altered, or sealed for another row or merchant'
const secretFaults: readonly FaultCase[] = [
  [`UPDATE account SET sealed = wrapped_key WHERE id = '$debit'`, `account $debit MERCHANT: its number ${ALTERED}`],
  [
    `UPDATE account SET wrapped_key = (SELECT wrapped_key FROM account WHERE id = '$authorisation')
      WHERE id = '$debit'`,
    `account $debit MERCHANT: its number ${ALTERED}`,
  ],
  [
    `UPDATE account SET key_id = 'kek-0' WHERE id = '$debit'`,
    'account $debit MERCHANT: its number cannot be opened: the record was made with a key that the ring lacks',
  ],
  [
    `UPDATE account SET wrapped_key = NULL WHERE id = '$debit'`,
    'account $debit MERCHANT: sealed, wrapped_key and key_id must be erased together',
  ],
  [
    `UPDATE merchant_terms SET key_id = NULL, starts_at_ms = 1`,
    'merchant_terms MERCHANT 1: sealed, wrapped_key and key_id must be erased together',
  ],
  [`UPDATE merchant_terms SET starts_at_ms = 1`, `merchant_terms MERCHANT 1: its account number ${ALTERED}`],
  [`UPDATE webhook_key SET id = 'k', sealed = wrapped_key`, `webhook_key k: its key ${ALTERED}`],
  [
    `UPDATE sftp_account SET key_id = 'kek-0'`,
    'sftp_account $target: its credentials cannot be opened: the record was made with a key that the ring lacks',
  ],
  [
    `UPDATE sftp_account SET wrapped_key = NULL`,
    'sftp_account $target: sealed, wrapped_key, key_id and credentials_at_ms must be erased together',
  ],
  [`UPDATE connector SET id = 'other'`, `connector other: its credentials ${ALTERED}`],
  [
    `UPDATE connector SET wrapped_key = NULL`,
    'connector acme: sealed, wrapped_key, key_id and credentials_at_ms must be erased together',
  ],
]

const treeFaults: readonly FaultCase[] = [
  [
    `UPDATE tree SET version = 2 WHERE id = '$authorisation'`,
    'tree $authorisation: version 2 is too low for 3 transactions',
  ],
  [`DELETE FROM tree WHERE id = '$authorisation'`, 'tree $authorisation: version 1 is too low for 3 transactions'],
  [
    `UPDATE payment_transaction SET referenced_id = id WHERE id = '$debit'`,
    'tree $debit: its root refers to another transaction',
  ],
  [
    `UPDATE payment_transaction SET referenced_id = '$debit' WHERE id = '$capture'`,
    'tree $authorisation: $capture refers to no transaction of the tree',
  ],
  [
    `UPDATE payment_transaction SET referenced_id = '$authorisation' WHERE id = '$refund'`,
    'tree $authorisation: RF does not follow PA',
  ],
  [
    `UPDATE payment_transaction SET amount_minor = 9201 WHERE id = '$capture'`,
    'tree $authorisation: the captured amount is at most the authorised amount',
  ],
  [
    `UPDATE payment_transaction SET amount_minor = 6001 WHERE id = '$refund'`,
    'tree $authorisation: refunds and chargebacks together are at most the captured amount',
  ],
  [
    `UPDATE payment_transaction SET ${textsWith('facts', '[]')} WHERE id = '$debit'`,
    'tree $debit: stored JSON has an unknown shape',
  ],
]

const keyFaults: readonly FaultCase[] = [
  [`DELETE FROM installation WHERE name = 'key-check'`, 'the keys: the data has no key-check value'],
  [
    `UPDATE installation SET value = 'x' WHERE name = 'key-check'`,
    'the keys: the stored key-check value is unreadable',
  ],
  [
    `UPDATE installation SET value = value || ' kek-0=0011223344556677' WHERE name = 'key-check'`,
    'the keys: kek-0 is missing: stored data needs it',
  ],
]

/** Replaces the ids of the sandbox by names. */
const withNames = (text: string) =>
  text
    .replaceAll('70119a7e5eed000000000000000000e0', 'MERCHANT')
    .replaceAll('70119a7e5eed00000000000000000c00', 'CHANNEL')

test('the data of a gateway pass the integrity scan', async () => {
  copyFileSync(intactFile(), file())
  expect(await findingsIn()).toEqual([])
})

describe('the integrity scan', () => {
  const faults = [...referenceFaults, ...jsonFaults, ...valueFaults, ...secretFaults, ...treeFaults, ...keyFaults]
  test.each(faults.map(([sql, ...findings]) => ({ title: findings.join('; '), sql, findings })))(
    'reports exactly: $title',
    async ({ sql, findings }) => {
      for (const suffix of ['-wal', '-shm']) rmSync(`${file()}${suffix}`, { force: true })
      copyFileSync(intactFile(), file())
      runSqlite(file(), withIds(sql))
      expect((await findingsIn()).map(withNames)).toEqual(
        findings.flatMap((finding) => (finding ? [withNames(withIds(finding))] : [])),
      )
    },
  )

  test('is tested with as many faults as there are references, and checks a reference of every kind of job', () => {
    expect(referenceFaults).toHaveLength(references.length)
    const jobConditions = references.filter(({ table }) => table === 'job').map(({ condition }) => condition)
    expect(kinds.filter((kind) => !jobConditions.some((condition) => condition?.includes(`'${kind}'`)))).toEqual([])
  })
})

test('faults and an unfinished move are reported in PostgreSQL, too', async () => {
  for (const suffix of ['-wal', '-shm']) rmSync(`${file()}${suffix}`, { force: true })
  copyFileSync(intactFile(), file())
  const url = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
  const env = { TOLLGATE_DATABASE_URL: url }
  await moveData(configOf(env), () => undefined)
  expect(await findingsIn(env)).toEqual([])
  const independentFaults = [
    referenceFaults[0],
    referenceFaults[3],
    referenceFaults[5],
    referenceFaults[18],
    jsonFaults[9],
    secretFaults[0],
    treeFaults[0],
  ].filter((fault) => fault !== undefined)
  for (const [sql] of independentFaults) await runSql(url, withIds(sql))
  const expected = independentFaults.map(([, finding]) => withNames(withIds(finding)))
  expect((await findingsIn(env)).map(withNames).toSorted()).toEqual(expected.toSorted())
  await runSql(url, 'CREATE TABLE unfinished_move (x text)')
  expect(await findingsIn(env)).toEqual([
    'the database contains an unfinished move: run tollgate migrate again until it completes',
  ])
  await removeDatabase(url)
})

test('the scan rejects a missing or damaged file, a missing key file and an unreachable server', async () => {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file()}${suffix}`, { force: true })
  await expect(findingsIn()).rejects.toThrow('tollgate.db does not exist')
  writeFileSync(file(), 'not a database '.repeat(1000))
  await expect(findingsIn()).rejects.toThrow('tollgate.db: file is not a database')
  await expect(findingsIn({ TOLLGATE_KEYS: join(folder, 'none.json') })).rejects.toThrow(/none\.json is missing/)
  const env = { TOLLGATE_DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/d' }
  await expect(findingsIn(env)).rejects.toThrow(
    /^the database that TOLLGATE_DATABASE_URL names cannot be used: connect/,
  )
})
