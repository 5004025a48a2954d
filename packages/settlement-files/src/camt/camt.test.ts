import { describe, expect, it } from 'vitest'
import { readBytes, readText } from '../testing/read-text.ts'
import {
  ACCOUNT,
  ACQUIRER,
  bankEntriesOf,
  CHARGES,
  COLLECTION,
  ENTRIES,
  INCOMING,
  INTEREST,
  lineOf,
  PAYOUTS,
  RETURN,
  rowsOf,
  SECOND_ID,
  statement,
  statementOf,
  UNIQUE_ID,
} from '../testing/sample-statement.ts'

const base = { status: 'SUCCESS', settledOn: '2026-11-27', settlementCurrency: 'EUR' }

describe('camt.053', () => {
  it('has rows', async () => {
    expect(await rowsOf(statement)).toStrictEqual([
      {
        ...base,
        line: lineOf(COLLECTION, '<TxDtls>'),
        kind: 'SETTLED',
        type: 'DEBIT',
        cashflow: 'POS',
        clearingMerchantId: 'DE98ZZZ09999999999',
        settlementId: 'B-1',
        uniqueId: UNIQUE_ID,
        connectorTxId1: 'B-1-1',
        connectorTxId3: 'M & 1',
        amountMinor: 9_250,
        currency: 'EUR',
        settlementAmountMinor: 9_250,
        presentedAtMs: Date.UTC(2026, 10, 25, 9),
        holder: 'Jörg Muster',
        last4: '3000',
        bankCode: 'COBADEFFXXX',
        descriptor: 'Order 17',
      },
      {
        ...base,
        line: lineOf(COLLECTION, '<TxDtls>\n<Refs><EndToEndId>'),
        kind: 'SETTLED',
        type: 'DEBIT',
        cashflow: 'POS',
        clearingMerchantId: ACCOUNT,
        settlementId: 'B-1',
        shortId: '1234.5678.9012',
        amountMinor: 5_500,
        currency: 'USD',
        settlementAmountMinor: 5_000,
        fxRate: '0.909',
      },
      {
        ...base,
        line: lineOf(RETURN, '<TxDtls>'),
        kind: 'CHARGEBACK',
        type: 'DEBIT',
        cashflow: 'NEG',
        clearingMerchantId: ACCOUNT,
        settlementId: 'B-2',
        merchantTransactionId: 'order-4711',
        amountMinor: 5_000,
        currency: 'EUR',
        settlementAmountMinor: 5_000,
        feeMinor: 300,
        reason: 'MD06',
      },
      {
        ...base,
        line: lineOf(INCOMING, '<TxDtls>'),
        kind: 'SETTLED',
        type: 'DEBIT',
        cashflow: 'POS',
        clearingMerchantId: ACCOUNT,
        settlementId: 'N-1',
        uniqueId: SECOND_ID,
        amountMinor: 900,
        currency: 'EUR',
        settlementAmountMinor: 900,
      },
      {
        ...base,
        line: lineOf(CHARGES),
        kind: 'FEE',
        type: 'MONTHLY',
        cashflow: 'NEG',
        clearingMerchantId: ACCOUNT,
        settlementId: 'N-1',
        amountMinor: 199,
        currency: 'EUR',
        settlementAmountMinor: 199,
      },
    ])
  })

  it('has a bank entry for each booked entry, and for each payout of a batch', async () => {
    const entry = { currency: 'EUR', bookedOn: '2026-11-27', reference: 'N-1' }
    expect(await bankEntriesOf(statement)).toStrictEqual([
      {
        ...entry,
        booking: 'COLLECTION',
        amountMinor: 14_250,
        direction: 'CREDIT',
        valueOn: '2026-11-28',
        reference: 'B-1',
        line: lineOf(COLLECTION),
      },
      {
        ...entry,
        booking: 'RETURN',
        amountMinor: 5_300,
        direction: 'DEBIT',
        reference: 'B-2',
        endToEndId: 'order-4711',
        line: lineOf(RETURN),
      },
      {
        ...entry,
        booking: 'PAYOUT',
        amountMinor: 1_000,
        direction: 'DEBIT',
        endToEndId: 'payout-1',
        line: lineOf(PAYOUTS, '<TxDtls>'),
      },
      {
        ...entry,
        booking: 'PAYOUT',
        amountMinor: 2_000,
        direction: 'DEBIT',
        endToEndId: 'payout-2',
        line: lineOf(PAYOUTS, '<TxDtls>'),
      },
      {
        ...entry,
        booking: 'INCOMING TRANSFER',
        amountMinor: 5_910,
        direction: 'CREDIT',
        endToEndId: 'ACQ-331',
        line: lineOf(ACQUIRER),
      },
      {
        ...entry,
        booking: 'INCOMING TRANSFER',
        amountMinor: 900,
        direction: 'CREDIT',
        endToEndId: SECOND_ID,
        line: lineOf(INCOMING),
      },
      { ...entry, booking: 'CHARGES', amountMinor: 199, direction: 'DEBIT', line: lineOf(CHARGES) },
      { ...entry, booking: 'OTHER', amountMinor: 1, direction: 'CREDIT', line: lineOf(INTEREST) },
    ])
  })

  it('has a summary', async () => {
    expect((await readText('camt.053', statement)).at(-1)).toStrictEqual({
      kind: 'summary',
      format: 'camt.053',
      institute: 'Sample Bank',
      fileId: 'STMT-331',
      sequence: 331,
      createdOn: '2026-11-28',
      settledOn: '2026-11-27',
      account: ACCOUNT,
      currency: 'EUR',
      openingMinor: -1_000,
      closingMinor: 11_562,
      rowCount: 5,
      bankEntryCount: 8,
      totals: [
        { currency: 'EUR', cashflow: 'NEG', rowCount: 2, amountMinor: 5_199 },
        { currency: 'EUR', cashflow: 'POS', rowCount: 3, amountMinor: 15_150 },
      ],
    })
  })

  it('has no fee in a row whose charges are an entry of their own', async () => {
    const charges = '<Chrgs><Rcrd><Amt Ccy="EUR">3.00</Amt><ChrgInclInd>false</ChrgInclInd></Rcrd></Chrgs>'
    const text = statement.replace(/<Chrgs>.*<\/Chrgs>/, charges)
    expect(text).toContain(charges)
    const row = (await rowsOf(text)).find(({ kind }) => kind === 'CHARGEBACK')
    expect(row).toMatchObject({ settlementAmountMinor: 5_300, amountMinor: 5_000 })
    expect(row).not.toHaveProperty('feeMinor')
    const included = await rowsOf(text.replace('>false<', '>true<'))
    expect(included).toStrictEqual(await rowsOf(statement))
  })

  it('can be of version 02, with other paths of the same facts', async () => {
    const old = statement
      .replace('053.001.08', '053.001.02')
      .replaceAll(/<Sts><Cd>BOOK<\/Cd><\/Sts>/g, '<Sts>BOOK</Sts>')
      .replaceAll(/<\/?Pty>/g, '')
      .replaceAll('BICFI', 'BIC')
      .replace('<Amt Ccy="EUR">92.50</Amt>', '')
      .replace('<RltdPties>', '<AmtDtls><TxAmt><Amt Ccy="EUR">92.50</Amt></TxAmt></AmtDtls><RltdPties>')
    expect(await readText('camt.053', old)).toStrictEqual(await readText('camt.053', statement))
  })

  it('is the same in chunks of any length, with a prefix of the namespace, and with comments', async () => {
    const expected = await readText('camt.053', statement)
    for (const length of [1, 5, 64]) {
      expect(await readBytes('camt.053', Buffer.from(`\uFEFF${statement}`), length)).toStrictEqual(expected)
    }
    const prefixed = statement.replaceAll(/<(\/?)(\w)/g, '<$1c:$2').replace('xmlns=', 'xmlns:c=')
    expect(await readText('camt.053', prefixed)).toStrictEqual(expected)
    const commented = statement.replace('<MsgId>', '<!-- comment --><?target body?><MsgId>')
    expect(await readText('camt.053', commented)).toStrictEqual(expected)
  })

  it('ignores elements of other namespaces', async () => {
    const other = statement.replace(
      '<Bal>',
      '<SplmtryData xmlns="urn:other"><Ntry><Amt Ccy="EUR">1</Amt></Ntry></SplmtryData><Bal>',
    )
    expect(await readText('camt.053', other)).toStrictEqual(await readText('camt.053', statement))
  })
})

describe('camt.054', () => {
  it('has the same rows without balances', async () => {
    const text = statementOf(...ENTRIES)
      .replace('camt.053.001.08', 'camt.054.001.08')
      .replaceAll('BkToCstmrStmt', 'BkToCstmrDbtCdtNtfctn')
      .replaceAll(/(<\/?)Stmt>/g, '$1Ntfctn>')
    const rows = await rowsOf(statement)
    expect(await rowsOf(text, 'camt.054')).toStrictEqual(rows.map((row) => ({ ...row, line: row.line - 3 })))
    expect((await readText('camt.054', text)).at(-1)).toMatchObject({ settledOn: '2026-11-27', bankEntryCount: 8 })
  })
})
