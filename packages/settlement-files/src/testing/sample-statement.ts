import { readText } from './read-text.ts'

/* A statement in camt.053 with invented bookings of each kind, and its parts. */

export const UNIQUE_ID = '8a8294174d0595bb014d05d829cb01cd'
export const SECOND_ID = '8a8294174d0595bb014d05d829cb01ce'

const code = (domain: string, family: string, subFamily: string): string =>
  `<BkTxCd><Domn><Cd>${domain}</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>${subFamily}</SubFmlyCd></Fmly></Domn></BkTxCd>`

export const COLLECTION = `<Ntry>
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

export const RETURN = `<Ntry>
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

export const PAYOUTS = simple(
  '30.00',
  'DBIT',
  code('PMNT', 'ICDT', 'ESCT'),
  details(transfer('payout-1', '10.00'), transfer('payout-2', '20.00')),
)
export const ACQUIRER = simple('59.10', 'CRDT', code('PMNT', 'RCDT', 'ESCT'), details(transfer('ACQ-331')))
export const INCOMING = simple('9.00', 'CRDT', code('PMNT', 'RCDT', 'ESCT'), details(transfer(SECOND_ID)))
export const CHARGES = simple('1.99', 'DBIT', code('ACMT', 'MDOP', 'CHRG'), '')
export const INTEREST = simple('0.01', 'CRDT', code('ACMT', 'MCOP', 'INTR'), '')
const PENDING = simple('500.00', 'CRDT', code('PMNT', 'IDDT', 'ESDD'), details(transfer('X', '7.00')), 'PDNG')

const balanceOf = (name: string, amount: string, direction = 'CRDT'): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${name}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt>` +
  `<CdtDbtInd>${direction}</CdtDbtInd><Dt><Dt>2026-11-27</Dt></Dt></Bal>`

export const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">
<BkToCstmrStmt><GrpHdr><MsgId>STMT-331</MsgId><CreDtTm>2026-11-28T06:00:00+01:00</CreDtTm></GrpHdr>
<Stmt><Id>S-331</Id><ElctrncSeqNb>331</ElctrncSeqNb><CreDtTm>2026-11-28T06:00:00</CreDtTm>
<Acct><Id><IBAN>DE02701500000000594937</IBAN></Id><Ccy>EUR</Ccy>
<Svcr><FinInstnId><Nm>Sample Bank</Nm></FinInstnId></Svcr></Acct>`
export const FOOT = '</Stmt></BkToCstmrStmt></Document>'
export const OPENING_BALANCE = balanceOf('OPBD', '10.00', 'DBIT')
export const CLOSING_BALANCE = balanceOf('CLBD', '115.62')
export const ENTRIES = [COLLECTION, RETURN, PAYOUTS, ACQUIRER, INCOMING, CHARGES, INTEREST, PENDING]

export const statementOf = (...parts: readonly string[]): string => `${[HEAD, ...parts, FOOT].join('\n')}\n`
export const statement = statementOf(OPENING_BALANCE, CLOSING_BALANCE, balanceOf('CLAV', '1.00'), ...ENTRIES)
export const lineOf = (part: string, within = ''): number =>
  statement.slice(0, statement.indexOf(within, statement.indexOf(part))).split('\n').length

export const rowsOf = async (text: string, format: 'camt.053' | 'camt.054' = 'camt.053') =>
  (await readText(format, text)).flatMap((entry) => (entry.kind === 'row' ? [entry.row] : []))
export const bankEntriesOf = async (text: string) =>
  (await readText('camt.053', text)).flatMap((entry) => (entry.kind === 'bank entry' ? [entry.bankEntry] : []))

export const ACCOUNT = 'DE02701500000000594937'
