import { recordHeader, recordLine } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import type { SettlementRow } from '../settlement/settlement-row.ts'
import { reconciliationRecord, type RecordSources } from './reconciliation-record.ts'

const id = (digit: string): string => digit.repeat(32)

const row: SettlementRow = {
  kind: 'SETTLED',
  type: 'DEBIT',
  cashflow: 'POS',
  clearingMerchantId: '4711-0815',
  settlementId: 'S-1',
  connectorTxId1: 'ARN1',
  connectorTxId2: '000123',
  amountMinor: 9200,
  currency: 'EUR',
  settlementAmountMinor: 9200,
  settlementCurrency: 'EUR',
  feeMinor: 90,
  presentedAtMs: Date.parse('2026-11-27T23:30:00Z'),
  settledOn: '2026-11-28',
  status: 'SUCCESS',
  brand: 'VISA',
  descriptor: 'Shop',
  last4: '1111',
  holder: 'Jane Müller',
  line: 1,
}

const sources: RecordSources = {
  row,
  source: {
    instituteName: 'Acquirer',
    format: 'TOLLGATE_CSV',
    timeZone: 'Europe/Berlin',
    readAtMs: Date.parse('2026-11-29T05:00:00Z'),
  },
  entities: { pspId: id('b'), merchantId: id('c'), merchantAccountId: id('a'), merchantAccountName: 'Shop' },
  verdict: { status: 'MATCHED', id: id('d') },
  payment: { id: id('d'), shortId: '0001.0002.0003', merchantTransactionId: 'order-0001' },
}
const recordOf = (changes: Partial<SettlementRow>, more: Partial<RecordSources> = {}) =>
  reconciliationRecord({ ...sources, ...more, row: { ...row, ...changes } })

describe('the record of a row', () => {
  it('is a line with the columns of the contract', () => {
    const options = { merchantReferences: true }
    const values = recordLine(reconciliationRecord(sources), options).split(';')
    const fields = recordHeader(options)
      .trimEnd()
      .split(';')
      .map((name, index) => [name, values[index]])
    expect(Object.fromEntries(fields.filter(([, value]) => value !== ''))).toEqual({
      ReconciliationType: 'SETTLED',
      PaymentType: 'DEBIT',
      Cashflow: 'POS',
      ClearingInstituteMerchantId: '4711-0815',
      MerchantAccountId: id('a'),
      MerchantAccountName: 'Shop',
      PspId: id('b'),
      MerchantId: id('c'),
      SettlementTxId: 'S-1',
      UniqueID: id('d'),
      ShortId: '0001.0002.0003',
      TransactionId: 'order-0001',
      ConnectorTxId1: 'ARN1',
      ConnectorTxId2: '000123',
      Amount: '92.00',
      Currency: 'EUR',
      Brand: 'VISA',
      TxRequestTime: '2026-11-28 00:30:00',
      SettlementAmount: '92.00',
      SettlementCurrency: 'EUR',
      SettlementFee: '0.90',
      SettlementFxRate: '1.00',
      SettlementDate: '2026-11-28',
      SettlementStatus: 'SUCCESS',
      Descriptor: 'Shop',
      AccountNumberLast4: '1111',
      AccountHolder: 'Jane Müller',
      SettlementFileFormat: 'TOLLGATE_CSV',
      ClearingInsitituteName: 'Acquirer',
      MatchingStatus: 'MATCHED',
      MatchedTransactions: id('d'),
    })
  })

  it('has the references of the transaction that the file does not state', () => {
    const payment = {
      id: id('d'),
      shortId: '',
      connectorTxId1: 'OTHER',
      connectorTxId2: 'ORIGINAL',
      connectorTxId3: 'A1',
    }
    const { ConnectorTxId1, ConnectorTxId2, ConnectorTxId3 } = recordOf({ connectorTxId2: undefined }, { payment })
    expect([ConnectorTxId1, ConnectorTxId2, ConnectorTxId3]).toEqual(['ARN1', 'ORIGINAL', 'A1'])
  })

  it('has the time at which the file was read if the file states no time', () => {
    expect(recordOf({ presentedAtMs: undefined }).TxRequestTime).toBe('2026-11-29 06:00:00')
  })

  it('has the reason of a chargeback, but not that of its reversal', () => {
    const dispute: Partial<SettlementRow> = { kind: 'CHARGEBACK', cashflow: 'NEG', reason: '10.4' }
    expect(recordOf(dispute, { chargebackId: id('e') })).toMatchObject({
      ReasonCode: '000.100.220',
      ReasonDesc: 'Other fraud with the card absent',
      ChargebackId: id('e'),
    })
    const chargeback = { resultCode: '000.100.232', text: 'Disputed' } as const
    expect(recordOf(dispute, { chargeback })).toMatchObject({ ReasonCode: '000.100.232', ReasonDesc: 'Disputed' })
    expect(recordOf({ ...dispute, kind: 'CHARGEBACK REVERSAL' }, { chargeback }).ReasonCode).toBeUndefined()
    expect(recordOf({ ...dispute, kind: 'CHARGEBACK REVERSAL' }).ReasonCode).toBeUndefined()
  })

  it('has the references of the file, and the brand of the payment before that of the file', () => {
    const { UniqueID, ShortId, TransactionId } = recordOf(
      { uniqueId: id('f'), shortId: '0009.0009.0009' },
      { payment: undefined, verdict: { status: 'NOT_MATCHED' } },
    )
    expect([UniqueID, ShortId, TransactionId]).toEqual([id('f'), '0009.0009.0009', undefined])
    const master = { id: id('d'), shortId: '', brand: 'MASTER' }
    const dispute: Partial<SettlementRow> = { kind: 'CHARGEBACK', brand: 'VISA', reason: '4837' }
    expect(recordOf(dispute, { payment: master })).toMatchObject({ Brand: 'MASTER', ReasonCode: '000.100.220' })
    expect(recordOf({ brand: 'VISA' }, { payment: { ...master, brand: undefined } }).Brand).toBe('VISA')
  })

  it.each<[verdict: RecordSources['verdict'], status: string | undefined, ids: string | undefined]>([
    [{ status: 'MATCHED', id: undefined }, 'MATCHED', undefined],
    [{ status: 'MULTIPLE_MATCHES', ids: [id('d'), id('e')] }, 'MULTIPLE_MATCHES', `${id('d')},${id('e')}`],
    [{ status: 'NOT_MATCHED' }, 'NOT_MATCHED', undefined],
    [undefined, undefined, undefined],
  ])('of the verdict %j has the status %s', (verdict, status, ids) => {
    const record = recordOf({}, { verdict })
    expect([record.MatchingStatus, record.MatchedTransactions]).toEqual([status, ids])
    expect(() => recordLine(record, { merchantReferences: true })).not.toThrow()
  })

  it.each<[amountMinor: number, currency: string, amount: string]>([
    [0, 'EUR', '0.00'],
    [9200, 'JPY', '9200.00'],
    [9200, 'KWD', '9.20'],
    [9205, 'KWD', '9.21'],
    [9204, 'KWD', '9.20'],
  ])('%i minor units of %s are %s', (settlementAmountMinor, settlementCurrency, amount) => {
    expect(recordOf({ settlementAmountMinor, settlementCurrency }).SettlementAmount).toBe(amount)
  })

  it.each<[name: string, changes: Partial<SettlementRow>, rate: string]>([
    ['the rate of the file, rounded', { fxRate: '1.085', settlementCurrency: 'USD' }, '1.09'],
    ['a whole rate', { fxRate: '150' }, '150.00'],
    ['the ratio of the amounts', { settlementCurrency: 'USD', settlementAmountMinor: 10_120 }, '1.10'],
    ['the ratio of yen to euro', { settlementCurrency: 'JPY', settlementAmountMinor: 14_839 }, '161.29'],
    ['1.00 within a currency', { settlementAmountMinor: 9100 }, '1.00'],
    ['1.00 without an amount', { amountMinor: 0, settlementCurrency: 'USD' }, '1.00'],
    ['the ratio if the rate is no number', { fxRate: 'n/a', settlementCurrency: 'USD' }, '1.00'],
  ])('has %s', (_, changes, rate) => {
    expect(recordOf(changes).SettlementFxRate).toBe(rate)
  })

  it('of an unknown currency is a broken invariant', () => {
    expect(() => recordOf({ currency: 'XYZ' })).toThrow('a settlement row has currencies of ISO 4217')
  })

  it('cannot be written if an amount has more than ten digits before the dot', () => {
    const record = recordOf({ amountMinor: 1_000_000_000_000 })
    expect(() => recordLine(record, { merchantReferences: true })).toThrow('reconciliation record: Amount is missing')
  })
})
