import { expect, test } from 'vitest'
import type { AcquirerRequest } from '../../port.ts'
import { fieldsOf, original, secrets } from './testing/requests.ts'

// Columns: entry mode, PIN capability, mode of the standing instruction, field 22.
test.each([
  [undefined, undefined, undefined, '010'],
  [undefined, undefined, 'INITIAL', '010'],
  [undefined, undefined, 'REPEATED', '100'],
  ['MANUAL', undefined, undefined, '010'],
  ['MAGSTRIPE', 'PIN_ENTRY_AVAILABLE', undefined, '901'],
  ['MAGSTRIPE_AS_FALLBACK', 'PIN_ENTRY_UNAVAILABLE', undefined, '802'],
  ['ICC', 'PIN_ENTRY_AVAILABLE', undefined, '051'],
  ['NFC_ICC', 'PIN_ENTRY_UNAVAILABLE', undefined, '072'],
  ['NFC_MAGSTRIPE', undefined, undefined, '910'],
  ['ICC', undefined, 'REPEATED', '050'],
] as const)('field 22 for the entry mode %s, PIN capability %s, mode %s', (entryMode, capability, mode, code) => {
  const parameters = {
    ...(entryMode && { 'pos.entryMode': entryMode }),
    ...(capability && { 'pos.pinEntryCapability': capability }),
    ...(mode && { 'standingInstruction.mode': mode }),
  }
  expect(fieldsOf({}, parameters)[22]).toBe(code)
})

test.each([
  [true, {}, '100'],
  [false, {}, '010'],
  [true, { 'pos.entryMode': 'ICC' }, '050'],
] as const)('field 22 of an account that is stored: %s, with %j', (hasStoredAccount, parameters, code) => {
  expect(fieldsOf({ hasStoredAccount }, parameters)[22]).toBe(code)
})

const entry = { 'pos.entryMode': 'ICC' }
const merchantInitiated = { 'standingInstruction.source': 'MIT' }

test.each<readonly [Partial<AcquirerRequest>, Readonly<Record<string, string>>, string]>([
  [{}, {}, '59'],
  [{}, { transactionCategory: 'EC' }, '59'],
  [{}, { transactionCategory: 'MO' }, '08'],
  [{}, { transactionCategory: 'TO' }, '08'],
  [{}, { transactionCategory: 'MOTO' }, '08'],
  [{}, { transactionCategory: 'moto' }, '08'],
  [{}, { transactionCategory: 'PO' }, '00'],
  [{}, { transactionCategory: 'RC' }, '59'],
  [{}, entry, '00'],
  [{}, { ...entry, transactionCategory: 'MO' }, '08'],
  [{}, merchantInitiated, '01'],
  [{}, { ...merchantInitiated, transactionCategory: 'EC' }, '59'],
  [{ amountMinor: 0 }, {}, '51'],
  [{ amountMinor: 0 }, { transactionCategory: 'MO' }, '51'],
  [{ amountMinor: 0, operation: 'DB' }, {}, '59'],
  [{ operation: 'CP' }, {}, '59'],
])('field 25 of %j with %j is %s', (changes, parameters, code) => {
  expect(fieldsOf(changes, parameters)[25]).toBe(code)
})

// Columns: operation, parameters of the follow-up, its fields 3, 18, 22 and 25. The original has 100000, 5812, 051, 00.
test.each<readonly [AcquirerRequest['operation'], Readonly<Record<string, string>>, readonly string[]]>([
  ['CP', {}, ['100000', '5812', '051', '00']],
  ['RV', {}, ['100000', '5812', '051', '00']],
  ['CP', { transactionProcessingCode: 'PURCHASE' }, ['000000', '5812', '051', '00']],
  ['CP', { 'merchant.mcc': '5999' }, ['100000', '5999', '051', '00']],
  ['RV', { 'pos.entryMode': 'MANUAL', transactionCategory: 'MO' }, ['100000', '5812', '010', '08']],
  ['RF', {}, ['200000', '5734', '010', '59']],
  ['RF', entry, ['200000', '5734', '050', '00']],
])('a %s with %j has the fields %j', (operation, parameters, expected) => {
  const fields = fieldsOf({ operation }, parameters, {
    ...original,
    fields: { 3: '100000', 18: '5812', 22: '051', 25: '00' },
  })
  expect([fields[3], fields[18], fields[22], fields[25]]).toEqual(expected)
})

test.each([
  ['1', '001'],
  ['01', '001'],
  ['0', '000'],
  ['999', '999'],
  ['0000000001', '001'],
  ['1000', undefined],
] as const)('field 23 for the sequence number %s', (sent, number) => {
  expect(fieldsOf({}, { 'pos.panSequenceNumber': sent })[23]).toBe(number)
})

test.each([
  ['DB', ['pos.encryptedPin.data', '0123456789ABCDEF'], '12'],
  ['DB', ['pos.encryptedPin.data', '01234567'], '12'],
  ['DB', ['pos.iccDataRequest', '9F2701408A025931'], undefined],
  ['CP', ['pos.encryptedPin.data', '0123456789ABCDEF'], undefined],
] as const)('field 26 of a %s with %j', (operation, secret, digits) => {
  expect(fieldsOf({ operation, secrets: secrets([...secret]) })[26]).toBe(digits)
})
