import type { SettlementRow } from '@tollgate/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BankEntry } from '../file-entry.ts'
import { randomDay, randomFacts, randomRow, statedMembers } from '../testing/random-rows.ts'
import { readBytes, readFault, readText } from '../testing/read-text.ts'
import { writeSettlementFile } from '../write-settlement-file.ts'
import { bookingCodes } from './booking-codes.ts'

const UNIQUE_ID = '8a8294174d0595bb014d05d829cb01cd'
const SECOND_ID = '8a8294174d0595bb014d05d829cb01ce'

const code = (domain: string, family: string, subFamily: string): string =>
  `<BkTxCd><Domn><Cd>${domain}</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>${subFamily}</SubFmlyCd></Fmly></Domn></BkTxCd>`

const COLLECTION = `<Ntry>
<Amt Ccy="EUR">142.50</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
<BookgDt><Dt>2026-11-27</Dt></BookgDt><ValDt><Dt>2026-11-28</Dt></ValDt><AcctSvcrRef>B-1</AcctSvcrRef>
${code('PMNT', 'IDDT', 'ESDD')}
<NtryDtls><Btch><NbOfTxs>2</NbOfTxs></Btch>
<TxDtls>
<Refs><AcctSvcrRef>B-1-1</AcctSvcrRef><EndToEndId>${UNIQUE_ID}</EndToEndId><MndtId>M &amp; 1</MndtId></Refs>
<Amt Ccy="EUR">92.50</Amt><CdtDbtInd>CRDT</CdtDbtInd>
<RltdPties><Dbtr><Pty><Nm>J&#xF6;rg Muster</Nm></Pty></Dbtr>
<DbtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></DbtrAcct>
<Cdtr><Pty><Id><PrvtId><Othr><Id>DE98ZZZ09999999999</Id></Othr></PrvtId></Id></Pty></Cdtr></RltdPties>
<RltdAgts><DbtrAgt><FinInstnId><BICFI>COBADEFFXXX</BICFI></FinInstnId></DbtrAgt></RltdAgts>
<RmtInf><Ustrd>Order 17</Ustrd><Ustrd>second line</Ustrd></RmtInf>
<RltdDts><AccptncDtTm>2026-11-25T10:00:00+01:00</AccptncDtTm></RltdDts>
</TxDtls>
<TxDtls>
<Refs><EndToEndId>1234.5678.9012</EndToEndId></Refs>
<Amt Ccy="EUR">50</Amt><CdtDbtInd>CRDT</CdtDbtInd>
<AmtDtls><InstdAmt><Amt Ccy="USD">55.00</Amt>
<CcyXchg><SrcCcy>USD</SrcCcy><XchgRate>0.909</XchgRate></CcyXchg></InstdAmt></AmtDtls>
</TxDtls></NtryDtls></Ntry>`

const RETURN = `<Ntry>
<Amt Ccy="EUR">53.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
<BookgDt><DtTm>2026-11-27T08:00:00</DtTm></BookgDt><AcctSvcrRef>B-2</AcctSvcrRef>
${code('PMNT', 'IDDT', 'UPDD')}
<NtryDtls><TxDtls>
<Refs><EndToEndId>order-4711</EndToEndId></Refs>
<AmtDtls><InstdAmt><Amt Ccy="EUR">50.00</Amt></InstdAmt></AmtDtls>
<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">3.00</TtlChrgsAndTaxAmt></Chrgs>
<RltdDts><AccptncDtTm>2026-11-25T10:00:00</AccptncDtTm></RltdDts>
<RtrInf><Rsn><Cd>MD06</Cd></Rsn></RtrInf>
</TxDtls></NtryDtls></Ntry>`

const simple = (
  amount: string,
  direction: string,
  bankCode: string,
  details: string,
  status = 'BOOK',
): string => `<Ntry>
<NtryRef>N-1</NtryRef><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd><Sts>${status}</Sts>
<BookgDt><Dt>2026-11-27</Dt></BookgDt>${bankCode}${details}</Ntry>`

const transfer = (id: string, amount?: string): string => {
  const stated = amount === undefined ? '' : `<Amt Ccy="EUR">${amount}</Amt>`
  return `<TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs>${stated}</TxDtls>`
}
const details = (...transactions: readonly string[]): string => `<NtryDtls>${transactions.join('')}</NtryDtls>`

const PAYOUTS = simple(
  '30.00',
  'DBIT',
  code('PMNT', 'ICDT', 'ESCT'),
  details(transfer('payout-1', '10.00'), transfer('payout-2', '20.00')),
)
const ACQUIRER = simple('59.10', 'CRDT', code('PMNT', 'RCDT', 'ESCT'), details(transfer('ACQ-331')))
const INCOMING = simple('9.00', 'CRDT', code('PMNT', 'RCDT', 'ESCT'), details(transfer(SECOND_ID)))
const CHARGES = simple('1.99', 'DBIT', code('ACMT', 'MDOP', 'CHRG'), '')
const INTEREST = simple('0.01', 'CRDT', code('ACMT', 'MCOP', 'INTR'), '')
const PENDING = simple('500.00', 'CRDT', code('PMNT', 'IDDT', 'ESDD'), details(transfer('X', '7.00')), 'PDNG')

const balance = (name: string, amount: string, direction = 'CRDT'): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${name}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt>` +
  `<CdtDbtInd>${direction}</CdtDbtInd><Dt><Dt>2026-11-27</Dt></Dt></Bal>`

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">
<BkToCstmrStmt><GrpHdr><MsgId>STMT-331</MsgId><CreDtTm>2026-11-28T06:00:00+01:00</CreDtTm></GrpHdr>
<Stmt><Id>S-331</Id><ElctrncSeqNb>331</ElctrncSeqNb><CreDtTm>2026-11-28T06:00:00</CreDtTm>
<Acct><Id><IBAN>DE02701500000000594937</IBAN></Id><Ccy>EUR</Ccy>
<Svcr><FinInstnId><Nm>Sample Bank</Nm></FinInstnId></Svcr></Acct>`
const FOOT = '</Stmt></BkToCstmrStmt></Document>'
const OPENING = balance('OPBD', '10.00', 'DBIT')
const CLOSING = balance('CLBD', '115.62')
const ENTRIES = [COLLECTION, RETURN, PAYOUTS, ACQUIRER, INCOMING, CHARGES, INTEREST, PENDING]

const file = (...parts: readonly string[]): string => `${[HEAD, ...parts, FOOT].join('\n')}\n`
const sample = file(OPENING, CLOSING, balance('CLAV', '1.00'), ...ENTRIES)
const lineOf = (part: string, within = ''): number =>
  sample.slice(0, sample.indexOf(within, sample.indexOf(part))).split('\n').length

const rowsOf = async (text: string, format: 'camt.053' | 'camt.054' = 'camt.053') =>
  (await readText(format, text)).flatMap((entry) => (entry.kind === 'row' ? [entry.row] : []))
const bankEntriesOf = async (text: string) =>
  (await readText('camt.053', text)).flatMap((entry) => (entry.kind === 'bank entry' ? [entry.bankEntry] : []))

const base = { status: 'SUCCESS', settledOn: '2026-11-27', settlementCurrency: 'EUR' }
const ACCOUNT = 'DE02701500000000594937'

describe('camt.053', () => {
  it('has rows', async () => {
    expect(await rowsOf(sample)).toStrictEqual([
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
    expect(await bankEntriesOf(sample)).toStrictEqual([
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
    expect((await readText('camt.053', sample)).at(-1)).toStrictEqual({
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

  it('can be of version 02, with other paths of the same facts', async () => {
    const old = sample
      .replace('053.001.08', '053.001.02')
      .replaceAll(/<Sts><Cd>BOOK<\/Cd><\/Sts>/g, '<Sts>BOOK</Sts>')
      .replaceAll(/<\/?Pty>/g, '')
      .replaceAll('BICFI', 'BIC')
      .replace('<Amt Ccy="EUR">92.50</Amt>', '')
      .replace('<RltdPties>', '<AmtDtls><TxAmt><Amt Ccy="EUR">92.50</Amt></TxAmt></AmtDtls><RltdPties>')
    expect(await readText('camt.053', old)).toStrictEqual(await readText('camt.053', sample))
  })

  it('is the same in chunks of any length, with a prefix of the namespace, and with comments', async () => {
    const expected = await readText('camt.053', sample)
    for (const length of [1, 5, 64]) {
      expect(await readBytes('camt.053', Buffer.from(`\uFEFF${sample}`), length)).toStrictEqual(expected)
    }
    const prefixed = sample.replaceAll(/<(\/?)(\w)/g, '<$1c:$2').replace('xmlns=', 'xmlns:c=')
    expect(await readText('camt.053', prefixed)).toStrictEqual(expected)
    const commented = sample.replace('<MsgId>', '<!-- comment --><?target body?><MsgId>')
    expect(await readText('camt.053', commented)).toStrictEqual(expected)
  })

  it('ignores elements of other namespaces', async () => {
    const other = sample.replace(
      '<Bal>',
      '<SplmtryData xmlns="urn:other"><Ntry><Amt Ccy="EUR">1</Amt></Ntry></SplmtryData><Bal>',
    )
    expect(await readText('camt.053', other)).toStrictEqual(await readText('camt.053', sample))
  })
})

describe('camt.054', () => {
  it('has the same rows without balances', async () => {
    const text = file(...ENTRIES)
      .replace('camt.053.001.08', 'camt.054.001.08')
      .replaceAll('BkToCstmrStmt', 'BkToCstmrDbtCdtNtfctn')
      .replaceAll(/(<\/?)Stmt>/g, '$1Ntfctn>')
    const rows = await rowsOf(sample)
    expect(await rowsOf(text, 'camt.054')).toStrictEqual(rows.map((row) => ({ ...row, line: row.line - 3 })))
    expect((await readText('camt.054', text)).at(-1)).toMatchObject({ settledOn: '2026-11-27', bankEntryCount: 8 })
  })
})

/** Members for which camt has no element, or an element that only one of them can have. */
const absent = {
  uniqueId: undefined,
  shortId: undefined,
  merchantTransactionId: undefined,
  approvalCode: undefined,
  networkTransactionId: undefined,
  clearingSequence: undefined,
  terminalId: undefined,
  brand: undefined,
  bin: undefined,
  dueOn: undefined,
}

/** Rows that the writer can state. */
const camtRow: fc.Arbitrary<SettlementRow> = fc
  .tuple(
    randomRow,
    fc.constantFrom(
      { kind: 'SETTLED', type: 'DEBIT', cashflow: 'POS' } as const,
      { kind: 'CHARGEBACK', type: 'DEBIT', cashflow: 'NEG' } as const,
      { kind: 'CHARGEBACK REVERSAL', type: 'DEBIT', cashflow: 'POS' } as const,
    ),
  )
  .map(([row, kind]) => {
    const { uniqueId, shortId, merchantTransactionId, feeMinor, settlementAmountMinor } = row
    const reference = merchantTransactionId?.slice(0, 35).trim()
    const id = uniqueId ? { uniqueId } : shortId ? { shortId } : { merchantTransactionId: reference }
    const charges = feeMinor === undefined ? {} : { feeMinor: Math.min(feeMinor, settlementAmountMinor) }
    return { ...row, ...absent, ...id, ...charges, ...kind, settlementCurrency: 'EUR', status: 'SUCCESS' }
  })

const fee: fc.Arbitrary<SettlementRow> = fc
  .tuple(
    fc.constantFrom('BATCH' as const, 'MONTHLY' as const),
    fc.constantFrom('POS' as const, 'NEG' as const),
    randomDay,
  )
  .map(([type, cashflow, settledOn]) => ({
    kind: 'FEE',
    type,
    cashflow,
    clearingMerchantId: ACCOUNT,
    amountMinor: 123,
    currency: 'EUR',
    settlementAmountMinor: 123,
    settlementCurrency: 'EUR',
    settledOn,
    status: 'SUCCESS',
    line: 0,
  }))

const bankEntry: fc.Arbitrary<BankEntry> = fc
  .tuple(
    fc.constantFrom(...bookingCodes.filter(({ row }) => row === undefined)),
    fc.integer({ min: 0, max: 1e9 }),
    randomDay,
  )
  .map(([{ booking, directions }, amountMinor, bookedOn]) => ({
    booking,
    amountMinor,
    currency: 'EUR',
    direction: directions[0] === 'CRDT' ? 'CREDIT' : 'DEBIT',
    bookedOn,
    reference: 'P-1',
    endToEndId: 'payout <1>',
    line: 0,
  }))

describe.each(['camt.053', 'camt.054'] as const)('%s', (format) => {
  it('can be written and read: the same rows and bank entries, as far as the format has the elements', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomFacts,
        fc.array(fc.oneof(camtRow, fee), { maxLength: 20 }),
        fc.array(bankEntry, { maxLength: 3 }),
        fc.integer({ min: -1e9, max: 1e9 }),
        async (facts, rows, bankEntries, openingMinor) => {
          const sent = { ...facts, account: ACCOUNT, currency: 'EUR' }
          const content = { rows, bankEntries }
          const bytes = Buffer.concat([...writeSettlementFile(format, { ...sent, openingMinor }, content)])
          const entries = await readBytes(format, bytes)
          const read = entries.flatMap((entry) => (entry.kind === 'row' ? [statedMembers(entry.row)] : []))
          expect(read).toStrictEqual(rows.map(statedMembers))
          const bookings = entries.flatMap((entry) =>
            entry.kind === 'bank entry' ? [{ ...entry.bankEntry, line: 0 }] : [],
          )
          expect(bookings.slice(bookings.length - bankEntries.length)).toStrictEqual(bankEntries)
          const { fileId, sequence, institute, createdOn } = facts
          const stated = { account: ACCOUNT, currency: 'EUR', fileId, sequence, institute, createdOn }
          expect(entries.at(-1)).toMatchObject({ kind: 'summary', ...stated, rowCount: rows.length })
        },
      ),
    )
  })
})

const edit = (from: string, to: string): string => {
  expect(sample).toContain(from)
  return sample.replace(from, to)
}

const withoutPart = (part: string): string => edit(part, '')

describe('a fault of camt.053', () => {
  it.each<readonly [name: string, text: () => string, fault: string]>([
    ['an empty file', () => '', 'TRUNCATED'],
    ['cut within an entry', () => sample.slice(0, sample.indexOf('B-2')), 'TRUNCATED'],
    ['unclosed elements', () => edit(FOOT, '</Stmt>'), 'TRUNCATED'],
    ['a wrong closing tag', () => edit('</MsgId>', '</MsgIdx>'), 'XML'],
    ['a wrong namespace', () => edit('camt.053.001.08', 'camt.052.001.08'), 'NAMESPACE'],
    ['a version that is no number', () => edit('camt.053.001.08', 'camt.053.001.x'), 'NAMESPACE'],
    ['another message', () => edit('<BkToCstmrStmt>', '<Other>'), 'NAMESPACE'],
    ['text after the root', () => `${sample}text`, 'TRAILING'],
    ['an element after the root', () => `${sample}<Document/>`, 'TRAILING'],
    ['text before the root', () => `text${sample}`, 'XML'],
    ['a second message', () => edit('</BkToCstmrStmt>', '</BkToCstmrStmt><BkToCstmrStmt/>'), 'REPEATED'],
    ['a second statement', () => edit(FOOT, `</Stmt><Stmt>${HEAD.split('<Stmt>')[1]}${FOOT}`), 'REPEATED'],
    ['a document type declaration', () => edit('<Document', '<!DOCTYPE Document><Document'), 'DOCTYPE'],
    [
      'an external entity',
      () => edit('<Document', '<!DOCTYPE D [<!ENTITY e SYSTEM "file:///x">]><Document'),
      'DOCTYPE',
    ],
    ['entities that multiply', () => edit('<Document', BOMB), 'DOCTYPE'],
    ['an undefined entity', () => edit('S-331', '&lol;'), 'ENTITY'],
    ['an entity named like a property', () => edit('S-331', '&constructor;'), 'ENTITY'],
    ['a forbidden character reference', () => edit('S-331', '&#0;'), 'XML'],
    ['NUL', () => edit('S-331', 'S\u0000'), 'CONTROL_CHARACTER'],
    ['DEL', () => edit('S-331', 'S\u007f'), 'CONTROL_CHARACTER'],
    ['another declared encoding', () => edit('encoding="UTF-8"', 'encoding="ISO-8859-1"'), 'ENCODING'],
    ['XML 1.1', () => edit('version="1.0"', 'version="1.1"'), 'XML'],
    ['deep nesting', () => edit('<Id>S-331', `${'<x>'.repeat(100)}<Id>S-331`), 'XML_BOUND'],
    ['many attributes', () => edit('<Id>S-331', `<Id ${attributes(100)}>S-331`), 'XML_BOUND'],
    ['a repeated attribute', () => edit('Ccy="EUR"', 'Ccy="EUR" Ccy="EUR"'), 'XML'],
    ['a gigantic attribute', () => edit('Ccy="EUR"', `Ccy="${'E'.repeat(300_000)}"`), 'XML_BOUND'],
    ['a gigantic text', () => edit('S-331', 'S'.repeat(300_000)), 'XML_BOUND'],
    ['a gigantic comment', () => edit('<MsgId>', `<!--${'c'.repeat(300_000)}--><MsgId>`), 'XML_BOUND'],
    ['a gigantic tag', () => edit('<MsgId>', `<${'m'.repeat(300_000)}/><MsgId>`), 'XML_BOUND'],
    ['many parts of one text', () => edit('S-331', '<![CDATA[xxxxxxxxxx]]>'.repeat(30_000)), 'XML_BOUND'],
    ['a long reference', () => edit('S-331', 'S'.repeat(36)), 'FIELD_LENGTH'],
    ['a missing account', () => withoutPart('<Id><IBAN>DE02701500000000594937</IBAN></Id>'), 'MISSING'],
    ['a missing header', () => edit(/<GrpHdr>.*<\/GrpHdr>/.exec(sample)?.[0] ?? '', ''), 'MISSING'],
    ['a missing opening balance', () => withoutPart(OPENING), 'MISSING'],
    ['a missing closing balance', () => withoutPart(CLOSING), 'MISSING'],
    ['a repeated balance', () => edit(OPENING, OPENING + OPENING), 'REPEATED'],
    ['balances that do not add up', () => edit('115.62', '115.61'), 'BALANCE'],
    ['a missing entry', () => withoutPart(RETURN), 'BALANCE'],
    ['transactions that do not add up', () => edit('>92.50<', '>92.49<'), 'TOTAL'],
    ['a transaction without an amount', () => edit('<Amt Ccy="EUR">92.50</Amt>', ''), 'MISSING'],
    ['elements in another order', () => edit(COLLECTION, reordered(COLLECTION)), 'RECORD_ORDER'],
    ['a repeated amount', () => edit('<CdtDbtInd>DBIT', '<Amt Ccy="EUR">1</Amt><CdtDbtInd>DBIT'), 'REPEATED'],
    ['a missing direction', () => edit(RETURN, RETURN.replace('<CdtDbtInd>DBIT</CdtDbtInd>', '')), 'MISSING'],
    ['an unknown direction', () => edit('<CdtDbtInd>CRDT', '<CdtDbtInd>CREDIT'), 'FIELD_LENGTH'],
    ['a missing booking date', () => edit('<BookgDt><DtTm>2026-11-27T08:00:00</DtTm></BookgDt>', ''), 'MISSING'],
    ['an impossible booking date', () => edit('2026-11-27T08', '2026-11-31T08'), 'DATE'],
    ['an impossible time', () => edit('T10:00:00+01:00', 'T25:00:00+01:00'), 'DATE'],
    ['too many decimals', () => edit('92.50', '92.500'), 'AMOUNT'],
    ['a negative amount', () => edit('142.50', '-142.50'), 'AMOUNT'],
    ['an amount beyond the bound', () => edit('142.50', '10000000000000.00'), 'AMOUNT'],
    ['a gigantic number', () => edit('142.50', '9'.repeat(1_000)), 'FIELD_LENGTH'],
    ['an amount without a currency', () => edit('<Amt Ccy="EUR">142.50', '<Amt>142.50'), 'MISSING'],
    ['an unknown currency', () => edit('Ccy="USD"', 'Ccy="XXX"'), 'CURRENCY'],
    ['another currency than the account', () => edit('<Amt Ccy="EUR">142', '<Amt Ccy="USD">142'), 'CURRENCY'],
    ['another currency than the entry', () => edit('<Amt Ccy="EUR">92', '<Amt Ccy="USD">92'), 'CURRENCY'],
    [
      'charges in another currency',
      () => edit('<TtlChrgsAndTaxAmt Ccy="EUR"', '<TtlChrgsAndTaxAmt Ccy="USD"'),
      'CURRENCY',
    ],
    ['charges larger than the amount', () => edit('>3.00<', '>54.00<'), 'AMOUNT'],
  ])('%s', async (_, text, reason) => {
    const fault = await readFault('camt.053', text())
    expect(fault.split(' ').at(-1)).toBe(reason)
    expect(fault).toMatch(/^[1-9]\d*:[1-9]\d* /)
  })

  it('has the place and the element', async () => {
    const place = (text: string): Promise<string> => readFault('camt.053', text)
    expect(await place(edit('<MsgId>STMT-331', '<MsgId>'))).toBe('3:39 MsgId MISSING')
    expect(await place(edit('>S-331', '>&lol;'))).toBe('4:16 ENTITY')
    expect(await place(edit('115.62', '115.61'))).toBe(`${lineOf(FOOT)}:8 CLBD BALANCE`)
    expect(await place(edit('>92.50<', '>92.49<'))).toBe(`${lineOf(COLLECTION, '</Ntry>')}:28 Amt TOTAL`)
  })

  it('is also found in a wrong encoding', async () => {
    expect(await readFault('camt.053', Buffer.from(edit('S-331', 'Ü'), 'latin1'))).toBe('4:11 ENCODING')
    expect(await readFault('camt.053', Buffer.from(`\uFEFF${sample}`, 'utf16le'))).toBe('1:1 ENCODING')
  })
})

const BOMB = '<!DOCTYPE D [<!ENTITY a "aa"><!ENTITY b "&a;&a;&a;&a;">]><Document'

const attributes = (number: number): string => Array.from({ length: number }, (_, index) => `a${index}="1"`).join(' ')

/** An entry whose reference follows its transactions. */
const reordered = (entry: string): string =>
  entry.replace('<AcctSvcrRef>B-1</AcctSvcrRef>', '').replace('</Ntry>', '<AcctSvcrRef>B-1</AcctSvcrRef></Ntry>')

describe('the writer of camt', () => {
  const facts = { fileId: '1', createdOn: '2026-11-28', settledOn: '2026-11-27', account: ACCOUNT, currency: 'EUR' }
  it.each<readonly [string, Partial<SettlementRow>, string]>([
    ['refunds', { type: 'REFUND', cashflow: 'NEG' }, 'PaymentType'],
    ['another currency', { settlementCurrency: 'USD' }, 'SettlementCurrency'],
    ['a fee larger than a credit', { feeMinor: 100_000 }, 'SettlementFee'],
    ['a long reference', { settlementId: 'x'.repeat(36) }, 'AcctSvcrRef'],
  ])('cannot express %s', async (_, change, name) => {
    const [row] = await rowsOf(sample)
    if (row === undefined) throw new Error('the sample has rows')
    const write = () => [...writeSettlementFile('camt.053', facts, { rows: [{ ...row, ...change }] })]
    expect(write).toThrow(RangeError)
    expect(write).toThrow(new RegExp(`^${name}: `))
  })

  it('books rows of one settlement as one entry', async () => {
    const rows = (await rowsOf(sample)).filter(({ settlementId }) => settlementId === 'B-1')
    const text = Buffer.concat([...writeSettlementFile('camt.053', facts, { rows })]).toString()
    expect(text.match(/<Ntry>/g)).toHaveLength(1)
    expect(await bankEntriesOf(text)).toMatchObject([{ amountMinor: 14_250, reference: 'B-1' }])
  })
})
