import { FieldError } from '@tollgate/iso8583'
import { describe, expect, it, test } from 'vitest'
import type { AcquirerAccount, AcquirerRequest } from '../../port.ts'
import type { OriginalMessage } from './message-source.ts'
import { privateElements } from './private-data.ts'
import { asciiText, card, elementsOf, fieldsOf, networkId, original, secretOf, secrets } from './testing/requests.ts'

type Texts = Readonly<Record<string, string>>

/** An element of the message of a request. */
const elementOf = (
  tag: string,
  changes: Partial<AcquirerRequest>,
  parameters: Texts = {},
  originalMessage?: OriginalMessage,
): string | undefined => elementsOf(fieldsOf(changes, parameters, originalMessage)[48])[tag]

it('has a row for each element, in the order of their tags', () => {
  const tags = privateElements.map(({ tag }) => tag)
  expect(tags).toEqual([...new Set(tags)].toSorted())
})

it('is absent without an element', () => {
  expect(fieldsOf({})[48]).toBeUndefined()
})

describe('01 cvv', () => {
  const withCvv = (changes: Partial<AcquirerAccount>): AcquirerAccount => card({ cvv: secretOf('123'), ...changes })

  test.each([
    ['PA', withCvv({}), '123'],
    ['DB', withCvv({ kind: 'tokenAccount' }), '123'],
    ['DB', withCvv({ kind: 'giftCard', cvv: secretOf('98765') }), '98765'],
    ['CD', withCvv({}), undefined],
    ['CP', withCvv({}), undefined],
    ['RV', withCvv({}), undefined],
    ['RF', withCvv({}), undefined],
  ] as const)('of %s', (operation, account, value) => {
    expect(elementOf('01', { operation, account })).toBe(value)
  })
})

describe('06 agreement', () => {
  test.each([
    ['CIT', 'INITIAL', 'UNSCHEDULED', undefined, 'CIU'],
    ['CIT', 'REPEATED', 'UNSCHEDULED', undefined, 'CRU'],
    ['MIT', 'REPEATED', 'UNSCHEDULED', undefined, 'MRU'],
    ['CIT', 'INITIAL', 'RECURRING', undefined, 'CIR'],
    ['MIT', 'REPEATED', 'RECURRING', 'SUBSCRIPTION', 'MRR'],
    ['MIT', 'REPEATED', 'RECURRING', 'STANDING_ORDER', 'MRS'],
    ['MIT', 'REPEATED', 'UNSCHEDULED', 'STANDING_ORDER', 'MRU'],
    ['CIT', 'INITIAL', 'INSTALLMENT', undefined, 'CIN'],
    ['CIT', 'INITIAL', undefined, undefined, undefined],
    ['MIT', undefined, 'RECURRING', undefined, undefined],
    [undefined, 'INITIAL', 'RECURRING', undefined, undefined],
  ] as const)('%s %s %s %s', (source, mode, type, recurringType, flags) => {
    const parameters = {
      ...(source && { 'standingInstruction.source': source }),
      ...(mode && { 'standingInstruction.mode': mode }),
      ...(type && { 'standingInstruction.type': type }),
      ...(recurringType && { 'standingInstruction.recurringType': recurringType }),
    }
    expect(elementOf('06', {}, parameters)).toBe(flags)
  })
})

describe('07 industry practice', () => {
  test.each([
    ['RESUBMISSION', '1'],
    ['DELAYED_CHARGES', '2'],
    ['REAUTHORIZATION', '3'],
    ['NO_SHOW', '4'],
    ['INCREMENTAL_AUTH', '5'],
  ] as const)('%s', (practice, code) => {
    expect(elementOf('07', {}, { 'standingInstruction.industryPractice': practice })).toBe(code)
  })

  it('of a PA that refers to another is an increase, unless it states another practice', () => {
    expect(elementOf('07', {}, {}, original)).toBe('5')
    const reauthorisation = { 'standingInstruction.industryPractice': 'REAUTHORIZATION' }
    expect(elementOf('07', {}, reauthorisation, original)).toBe('3')
    expect(elementOf('07', { operation: 'CP' }, {}, original)).toBeUndefined()
  })
})

describe('08 first transaction of the agreement', () => {
  const sent = { 'standingInstruction.initialTransactionId': 'SENT' }

  it('is that of the gateway, or else the sent one', () => {
    expect(elementOf('08', { initialTransactionId: networkId }, sent)).toBe(networkId)
    expect(elementOf('08', {}, sent)).toBe('SENT')
  })

  it('is absent in a follow-up, whose field 62 has the id', () => {
    expect(elementOf('08', { initialTransactionId: networkId }, sent, original)).toBeUndefined()
  })
})

test.each([
  [{ 'billing.street1': 'Main Street 1', 'billing.postcode': '10115' }, 'Main Street 1/10115'],
  [{ 'billing.street1': 'Main Street', 'billing.houseNumber1': '1' }, 'Main Street 1/'],
  [{ 'billing.postcode': '10115' }, '/10115'],
  [{ 'billing.street1': 'Haus 1/2', 'billing.postcode': 'A/1' }, 'Haus 1 2/A 1'],
  [{ 'billing.street1': 'Straßé', 'billing.postcode': '1' }, 'Stra?e/1'],
  [{ 'billing.street1': 'x'.repeat(100), 'billing.postcode': '1' }, `${'x'.repeat(40)}/1`],
  [{ 'billing.city': 'Berlin' }, undefined],
] as const)('10 address of %j', (parameters, value) => {
  expect(elementOf('10', {}, parameters)).toBe(value)
  expect(elementOf('10', { operation: 'CP' }, parameters)).toBeUndefined()
})

it('11 has the cryptogram of a token', () => {
  const cryptogram = 'AgAAAAAAAIR8CQrXcIhbQAAAAAA='
  expect(elementOf('11', { secrets: secrets(['tokenAccount.cryptogram', cryptogram]) })).toBe(cryptogram)
})

describe('13 and 14 of a capture', () => {
  test.each([
    // number of the capture, parameters, elements 13 and 14
    [1, {}, '0102', 'N'],
    [2, {}, '0203', 'N'],
    [2, { sequence: 'FINAL' }, '0202', 'F'],
    [1, { sequence: 'final' }, '0102', 'N'],
    [2, { numberOfCaptures: '3' }, '0203', 'N'],
    [3, { numberOfCaptures: '3' }, '0303', 'F'],
    [98, { numberOfCaptures: '98' }, '9898', 'F'],
    [98, {}, '9899', 'N'],
    [99, {}, '9999', 'F'],
    [undefined, {}, undefined, 'N'],
    [undefined, { sequence: 'FINAL' }, undefined, 'F'],
  ] as const)('number %s with %j', (captureSequence, parameters, numbers, indicator) => {
    const referred = { ...original, captureSequence }
    const fields = elementsOf(fieldsOf({ operation: 'CP' }, parameters, referred)[48])
    expect([fields['13'], fields['14']]).toEqual([numbers, indicator])
  })

  test.each([
    ['PA', {}, undefined],
    ['PA', { numberOfCaptures: '3' }, 'P'],
    ['PA', { sequence: 'FINAL' }, 'F'],
    ['DB', { sequence: 'FINAL' }, undefined],
    ['CD', { sequence: 'FINAL' }, undefined],
    ['RV', {}, undefined],
    ['RV', { sequence: 'FINAL' }, 'F'],
    ['RF', {}, undefined],
    ['RF', { sequence: 'FINAL' }, 'F'],
  ] as const)('14 of %s with %j', (operation, parameters, indicator) => {
    expect(elementOf('14', { operation }, parameters)).toBe(indicator)
    expect(elementOf('13', { operation }, parameters)).toBeUndefined()
  })
})

test.each([
  [{ 'recurring.numberOfInstallments': '6' }, '1/6/A'],
  [{ 'recurring.numberOfInstallments': '006' }, '1/6/A'],
  [{ type: 'INSTALLMENT', mode: 'INITIAL', numberOfInstallments: '12' }, '1/12/M'],
  [{ type: 'INSTALLMENT', mode: 'REPEATED', numberOfInstallments: '12' }, '0/12/M'],
  [{ type: 'RECURRING', mode: 'INITIAL', numberOfInstallments: '12' }, undefined],
] as const)('17 instalments of %j', (parameters, value) => {
  const named = Object.entries(parameters).map(([name, text]) => [
    name.includes('.') ? name : `standingInstruction.${name}`,
    text,
  ])
  expect(elementOf('17', {}, Object.fromEntries(named))).toBe(value)
})

test.each([
  ['DB', true, 'Y'],
  ['DB', false, undefined],
] as const)('19 of %s with partial approval %s', (operation, partialApproval, value) => {
  expect(elementOf('19', { operation, partialApproval })).toBe(value)
})

describe('20 Cartes Bancaires', () => {
  const data = {
    'threeDSecure.schemeData[CB-ITEMSNB]': '03',
    'threeDSecure.schemeData[CB-SCORE_MERCHANT]': '75',
    'threeDSecure.schemeData[CB-USECASE]': '01',
  }

  it('states the choice of the brand', () => {
    expect(elementOf('20', { brand: 'CARTEBANCAIRE' })).toBe('BR002CB')
    expect(elementOf('20', { brand: 'VISA' })).toBeUndefined()
  })

  it('has the data of the scheme', () => {
    expect(elementOf('20', { brand: 'CARTEBANCAIRE' }, data)).toBe('BR002CBIN00203SM00275UC00201')
  })

  it('has the data of the issuer, which the gateway adds', () => {
    const parameters: AcquirerRequest['parameters'] = new Map([
      ['threeDSecure.schemeData[CB-AVALGO]', '2'],
      ['threeDSecure.schemeData[CB-EXEMPTION]', '1'],
      ['threeDSecure.schemeData[CB-SCORE]', '99'],
    ])
    expect(elementOf('20', { parameters })).toBe('AA0012EX0011SC00299')
  })
})

describe('data of a terminal', () => {
  it('are in field 124 as the terminal encrypted them, with the number of the key in element 27', () => {
    const fields = fieldsOf(
      { account: card({ number: undefined }), secrets: secrets(['pos.encryptedSred.data', 'C25C1D1197D31CAA']) },
      { 'pos.encryptedSred.ksn': 'FFFF9876543210E00001' },
    )
    expect(fields[124] && asciiText(fields[124])).toBe('C25C1D1197D31CAA')
    expect(elementsOf(fields[48])).toEqual({ 27: 'FFFF9876543210E00001' })
  })

  it('are refused if they fit in no message', () => {
    const long = { secrets: secrets(['pos.encryptedPin.data', 'A'.repeat(1_000)]) }
    expect(() => fieldsOf(long)).toThrow(new FieldError('must have elements of at most 999 characters', 48))
  })
})
