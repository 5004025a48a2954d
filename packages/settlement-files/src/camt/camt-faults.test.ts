import { describe, expect, it } from 'vitest'
import { readFault } from '../testing/read-text.ts'
import {
  CLOSING_BALANCE,
  COLLECTION,
  FOOT,
  HEAD,
  lineOf,
  OPENING_BALANCE,
  RETURN,
  statement,
} from '../testing/sample-statement.ts'

const edit = (from: string, to: string): string => {
  expect(statement).toContain(from)
  return statement.replace(from, to)
}

const withoutPart = (part: string): string => edit(part, '')

describe('a fault of camt.053', () => {
  it.each<readonly [name: string, text: () => string, fault: string]>([
    ['an empty file', () => '', 'TRUNCATED'],
    ['cut within an entry', () => statement.slice(0, statement.indexOf('B-2')), 'TRUNCATED'],
    ['unclosed elements', () => edit(FOOT, '</Stmt>'), 'TRUNCATED'],
    ['a wrong closing tag', () => edit('</MsgId>', '</MsgIdx>'), 'XML'],
    ['a wrong namespace', () => edit('camt.053.001.08', 'camt.052.001.08'), 'NAMESPACE'],
    ['a version that is no number', () => edit('camt.053.001.08', 'camt.053.001.x'), 'NAMESPACE'],
    ['another message', () => edit('<BkToCstmrStmt>', '<Other>'), 'NAMESPACE'],
    ['text after the root', () => `${statement}text`, 'TRAILING'],
    ['an element after the root', () => `${statement}<Document/>`, 'TRAILING'],
    ['text before the root', () => `text${statement}`, 'XML'],
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
    ['a comment without an end', () => `${HEAD}<!--${'c'.repeat(300_000)}`, 'XML_BOUND'],
    ['a text without an end', () => HEAD + 'c'.repeat(300_000), 'XML_BOUND'],
    ['a document type without an end', () => `<!DOCTYPE D [${'<!ENTITY a "b">'.repeat(30_000)}`, 'XML_BOUND'],
    ['a gigantic tag', () => edit('<MsgId>', `<${'m'.repeat(300_000)}/><MsgId>`), 'XML_BOUND'],
    ['many parts of one text', () => edit('S-331', '<![CDATA[xxxxxxxxxx]]>'.repeat(30_000)), 'XML_BOUND'],
    ['a long reference', () => edit('S-331', 'S'.repeat(36)), 'FIELD_LENGTH'],
    ['a missing account', () => withoutPart('<Id><IBAN>DE02701500000000594937</IBAN></Id>'), 'MISSING'],
    ['a missing header', () => edit(/<GrpHdr>.*<\/GrpHdr>/.exec(statement)?.[0] ?? '', ''), 'MISSING'],
    ['a missing opening balance', () => withoutPart(OPENING_BALANCE), 'MISSING'],
    ['a missing closing balance', () => withoutPart(CLOSING_BALANCE), 'MISSING'],
    ['a repeated balance', () => edit(OPENING_BALANCE, OPENING_BALANCE + OPENING_BALANCE), 'REPEATED'],
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
    ['an optional amount without a currency', () => edit('<Amt Ccy="USD">55', '<Amt>55'), 'MISSING'],
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
    expect(await readFault('camt.053', Buffer.from(`\uFEFF${statement}`, 'utf16le'))).toBe('1:1 ENCODING')
  })
})

const BOMB = '<!DOCTYPE D [<!ENTITY a "aa"><!ENTITY b "&a;&a;&a;&a;">]><Document'

const attributes = (number: number): string => Array.from({ length: number }, (_, index) => `a${index}="1"`).join(' ')

/** An entry whose reference follows its transactions. */
const reordered = (entry: string): string =>
  entry.replace('<AcctSvcrRef>B-1</AcctSvcrRef>', '').replace('</Ntry>', '<AcctSvcrRef>B-1</AcctSvcrRef></Ntry>')
