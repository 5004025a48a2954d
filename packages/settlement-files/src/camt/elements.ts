import { maskCardNumbers } from '@tollgate/contract'
import type { Field } from '../field.ts'
import { type Member, rowMembers } from '../row-members.ts'
import {
  currencyCode,
  day,
  decimalAmount,
  decimalSum,
  freeText,
  matching,
  oneOf,
  text,
  time,
  type ValueKind,
} from '../value-kinds.ts'

/** An element or attribute of a group. */
export interface CamtField extends Field {
  /** Paths below the group, of which the first in the file counts; `Amt@Ccy` is an attribute. The first is written. */
  readonly paths: readonly [string, ...string[]]
  /** Whether the element may occur again, of which the first counts; otherwise a second one is a fault. */
  readonly repeats?: boolean
}

/** Elements that belong together: a header, a balance, an entry or a transaction. */
export interface CamtGroup {
  /** The path below the message (`BkToCstmrStmt`). */
  readonly path: string
  readonly fields: readonly CamtField[]
}

const element = (
  paths: string,
  member: string,
  kind: ValueKind,
  rules: Partial<Pick<CamtField, 'isRequired' | 'currency' | 'repeats'>> = {},
): CamtField => {
  const [first = '', ...others] = paths.split(' | ')
  return { name: first, paths: [first, ...others], member, kind, isRequired: false, ...rules }
}

const required = { isRequired: true } as const

/** A member of a row; its text in the file has at most 35 characters, as references of ISO 20022 have. */
const reference = (paths: string, member: Member): CamtField => element(paths, member, text(35))

/** An amount with its currency. */
const amount = (
  paths: string,
  member: string,
  currency: string,
  kind: ValueKind,
  isRequired = false,
): readonly CamtField[] => [
  element(paths.replaceAll(/( \||$)/g, '@Ccy$1'), currency, currencyCode, { isRequired }),
  element(paths, member, kind, { isRequired, currency }),
]

/** A text that people wrote. It may be longer than the member of the row, which keeps its start. */
const clipped = (fileChars: number, rowChars: number): ValueKind => ({
  ...freeText(fileChars),
  describe: `up to ${fileChars} characters, of which ${rowChars} are kept`,
  read: (value) => (value === '' ? undefined : maskCardNumbers(value).slice(0, rowChars)),
  write: (value) => (String(value).length <= rowChars ? String(value) : undefined),
})

/** The day of a time, which may have an offset. */
const dayOfTime: ValueKind = {
  ...day,
  describe: 'yyyy-MM-ddTHH:mm:ss, of which the day is kept',
  charsMax: time.charsMax,
  read: (value) =>
    /^.{10}T[\d:.]{8,18}(?:Z|[+-]\d\d:\d\d)?$/.test(value) ? day.read(value.slice(0, 10), 'EUR') : undefined,
  write: (value) => (day.write(value, 'EUR') === undefined ? undefined : `${value}T00:00:00Z`),
}

/** A time. Without an offset from UTC it is not used, because the time zone of the bank is unknown. */
const exactTime: ValueKind = {
  ...time,
  describe: 'yyyy-MM-ddTHH:mm:ss; without an offset from UTC it is ignored',
  read: (value, currency) => {
    const atMs = time.read(value, currency)
    return atMs === undefined && time.read(`${value}Z`, currency) !== undefined ? '' : atMs
  },
}

/** The number of an account, of which the last four characters are kept. */
const accountNumber: ValueKind = {
  describe: 'account number, of which the last four characters are kept; written as ****1234',
  charsMax: 34,
  reason: 'VALUE',
  read: (value) => rowMembers.last4.kind.read(value.slice(-4).replaceAll('*', ''), 'EUR'),
  write: (value) => `****${value}`,
}

const sequenceNumber: ValueKind = {
  describe: 'up to 15 digits',
  charsMax: 15,
  reason: 'VALUE',
  read: (value) => (/^\d+$/.test(value) ? Number(value) : undefined),
  write: (value) => (Number.isSafeInteger(value) && Number(value) >= 0 ? String(value) : undefined),
}

const indicator: ValueKind = oneOf('true', 'false', '1', '0')

const direction: ValueKind = oneOf('CRDT', 'DBIT')

const bankTransactionCode: readonly CamtField[] = [
  element('BkTxCd/Domn/Cd', 'domain', text(4)),
  element('BkTxCd/Domn/Fmly/Cd', 'family', text(4)),
  element('BkTxCd/Domn/Fmly/SubFmlyCd', 'subFamily', text(4)),
]

/** The groups of a statement or notification, with their elements in the order of the schema. */
export const camtGroups = {
  message: {
    path: 'GrpHdr',
    fields: [element('MsgId', 'fileId', text(35), required), element('CreDtTm', 'createdOn', dayOfTime, required)],
  },
  statement: {
    path: '*',
    fields: [
      element('Id', 'statementId', text(35), required),
      element('ElctrncSeqNb | LglSeqNb', 'sequence', sequenceNumber),
      element('Acct/Id/IBAN | Acct/Id/Othr/Id', 'account', text(34), required),
      element('Acct/Ccy', 'currency', currencyCode),
      element(
        'Acct/Svcr/FinInstnId/Nm | Acct/Svcr/FinInstnId/BICFI | Acct/Svcr/FinInstnId/BIC',
        'institute',
        clipped(140, 64),
      ),
    ],
  },
  balance: {
    path: '*/Bal',
    fields: [
      element('Tp/CdOrPrtry/Cd', 'code', text(4)),
      ...amount('Amt', 'amountMinor', 'currency', decimalSum, true),
      element('CdtDbtInd', 'direction', direction, required),
      element('Dt/Dt', 'day', day),
      element('Dt/DtTm', 'dayOfTime', dayOfTime),
    ],
  },
  entry: {
    path: '*/Ntry',
    fields: [
      element('NtryRef', 'entryReference', text(35)),
      ...amount('Amt', 'amountMinor', 'currency', decimalSum, true),
      element('CdtDbtInd', 'direction', direction, required),
      element('RvslInd', 'isReversal', indicator),
      element('Sts/Cd | Sts', 'status', text(4), required),
      element('BookgDt/Dt', 'bookedOn', day),
      element('BookgDt/DtTm', 'bookedOnByTime', dayOfTime),
      element('ValDt/Dt', 'valueOn', day),
      element('ValDt/DtTm', 'valueOnByTime', dayOfTime),
      element('AcctSvcrRef', 'reference', text(35)),
      ...bankTransactionCode,
    ],
  },
  transaction: {
    path: '*/Ntry/NtryDtls/TxDtls',
    fields: [
      reference('Refs/AcctSvcrRef', 'connectorTxId1'),
      element('Refs/EndToEndId', 'endToEndId', text(35)),
      reference('Refs/TxId', 'connectorTxId2'),
      reference('Refs/MndtId', 'connectorTxId3'),
      ...amount('Amt | AmtDtls/TxAmt/Amt', 'bookedMinor', 'bookedCurrency', decimalAmount),
      element('CdtDbtInd', 'direction', direction),
      ...amount('AmtDtls/InstdAmt/Amt', 'amountMinor', 'currency', decimalAmount),
      element('AmtDtls/InstdAmt/CcyXchg/SrcCcy', 'sourceCurrency', currencyCode),
      element(
        'AmtDtls/InstdAmt/CcyXchg/XchgRate | AmtDtls/TxAmt/CcyXchg/XchgRate | AmtDtls/CntrValAmt/CcyXchg/XchgRate',
        'fxRate',
        rowMembers.fxRate.kind,
      ),
      ...bankTransactionCode,
      ...amount('Chrgs/TtlChrgsAndTaxAmt | Chrgs/Rcrd/Amt | Chrgs/Amt', 'feeMinor', 'feeCurrency', decimalAmount),
      element('Chrgs/Rcrd/ChrgInclInd | Chrgs/ChrgInclInd', 'isFeeIncluded', indicator, { repeats: true }),
      element('RltdPties/Dbtr/Pty/Nm | RltdPties/Dbtr/Nm', 'holder', clipped(140, 128)),
      element('RltdPties/DbtrAcct/Id/Othr/Id | RltdPties/DbtrAcct/Id/IBAN', 'last4', accountNumber),
      reference(
        'RltdPties/Cdtr/Pty/Id/PrvtId/Othr/Id | RltdPties/Cdtr/Id/PrvtId/Othr/Id | ' +
          'RltdPties/Cdtr/Pty/Id/OrgId/Othr/Id | RltdPties/Cdtr/Id/OrgId/Othr/Id',
        'clearingMerchantId',
      ),
      element(
        'RltdAgts/DbtrAgt/FinInstnId/BICFI | RltdAgts/DbtrAgt/FinInstnId/BIC',
        'bankCode',
        matching('8 to 12 letters or digits', 12, /^[0-9A-Za-z]{8,12}$/),
      ),
      element('RmtInf/Ustrd', 'descriptor', clipped(140, 128), { repeats: true }),
      element('RltdDts/AccptncDtTm', 'presentedAtMs', exactTime),
      element('RtrInf/Rsn/Cd | RtrInf/Rsn/Prtry', 'reason', clipped(35, 10)),
    ],
  },
} as const satisfies Readonly<Record<string, CamtGroup>>

export type CamtGroupName = keyof typeof camtGroups

/** The two messages: their namespace up to the version, and the elements around the groups (`*` in their paths). */
export const camtMessages = {
  'camt.053': {
    namespace: 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.',
    message: 'BkToCstmrStmt',
    statement: 'Stmt',
    hasBalances: true,
  },
  'camt.054': {
    namespace: 'urn:iso:std:iso:20022:tech:xsd:camt.054.001.',
    message: 'BkToCstmrDbtCdtNtfctn',
    statement: 'Ntfctn',
    hasBalances: false,
  },
} as const

export type CamtFormat = keyof typeof camtMessages

/** The balances that are checked, by their code; PRCD is the previous day's closing balance. */
export const accountBalances: ReadonlyMap<string, 'opening' | 'closing'> = new Map([
  ['OPBD', 'opening'],
  ['PRCD', 'opening'],
  ['CLBD', 'closing'],
])

/** The ids of a payment that an EndToEndId can be; another one is a merchant's id, and `NOTPROVIDED` is none. */
export const paymentIds = {
  uniqueId: /^[0-9A-Za-z]{32}$/,
  shortId: /^\d{4}\.\d{4}\.\d{4}$/,
} as const
