import { ascii1987, encodeMessage, FieldError, wipeMessage } from '@tollgate/iso8583'
import { knownMessage, knownMessages } from '@tollgate/iso8583/testing'
import { describe, expect, it, test } from 'vitest'
import type { AcquirerOperation, AcquirerRequest } from '../../port.ts'
import { retrievalReference, type Trace } from '../trace.ts'
import { fieldRows } from './fields.ts'
import type { OriginalMessage, RequestKind, RequestMessage } from './message-source.ts'
import { messageTypes, requestMessage } from './request-message.ts'
import { fieldUse, privateUse, useColumns } from './testing/field-use.ts'
import {
  asciiBytes,
  asciiText,
  card,
  networkId,
  original,
  profile,
  request,
  secretOf,
  trace,
} from './testing/requests.ts'
import { firstNameOf, paymentRows, requestWith, sampleOf } from './testing/sample-parameters.ts'

const operations: readonly AcquirerOperation[] = ['PA', 'DB', 'CD', 'CP', 'RV', 'RF']
const kinds: readonly RequestKind[] = [...operations, 'offlineSale']

const offlineApproval = { approvalCode: 'A1B2C3', responseCode: 'Y1', date: '261119', time: '235959' }
const offlineSale = { operation: 'DB', offlineApproval } as const

/** The changes of a request that make it one of this kind. */
const ofKind = (kind: RequestKind): Partial<AcquirerRequest> =>
  kind === 'offlineSale' ? offlineSale : { operation: kind }

const proof = {
  'threeDSecure.eci': '05',
  'threeDSecure.verificationId': 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=',
  'threeDSecure.dsTransactionId': 'c75f23af-9454-43f6-ba17-130ed529507e',
  'threeDSecure.version': '2.2.0',
}

interface KnownCase {
  readonly name: string
  readonly request: AcquirerRequest
  readonly trace: Trace
  readonly original?: OriginalMessage
}

const networkTransactionId = networkId

const knownCases: readonly KnownCase[] = [
  { name: '0100 e-com preauth with 3DS', request: request({}, proof), trace: trace() },
  {
    name: '0220 capture advice 60.00 of 92.00',
    request: request({ operation: 'CP', amountMinor: 6000 }),
    trace: trace('2026-11-21T08:00:00Z', '000456'),
    original: { ...original, networkTransactionId, captureSequence: 1 },
  },
  {
    name: '0400 partial reversal 92.00 -> 60.00',
    request: request({ operation: 'RV', amountMinor: 3200 }),
    trace: trace('2026-11-21T08:10:00Z', '000457'),
    original: { ...original, originalAmountMinor: 9200 },
  },
  {
    name: '0200 refund',
    request: request({ operation: 'RF', amountMinor: 1000 }),
    trace: trace('2026-11-22T08:00:00Z', '000789'),
    original: { ...original, networkTransactionId },
  },
]

/** The values of a message as texts, as the encoder takes them. */
function textsOf({ fields }: RequestMessage): Readonly<Record<string, string>> {
  const texts = Object.entries(fields).map(([number, value]) => [
    number,
    value instanceof Uint8Array ? asciiText(value) : value,
  ])
  return Object.fromEntries(texts)
}

describe('known messages', () => {
  test.each(knownCases)('$name', ({ name, request: sent, trace: sentTrace, original: referred }) => {
    const known = knownMessage(name)
    const message = requestMessage(sent, sentTrace, profile, referred)
    // The known messages take the hour of their own field 37 from local time; a trace takes it from UTC.
    const hasOwnReference = sent.operation === 'PA' || sent.operation === 'RF'
    const reference = hasOwnReference ? retrievalReference(sentTrace) : original.retrievalReference
    expect(message.type).toBe(known.type)
    expect(textsOf(message)).toEqual({ ...known.fields, 37: reference })
    const encoded = asciiText(encodeMessage(ascii1987, message))
    expect(encoded).toBe(known.encoded.replace(known.fields[37] ?? '', reference))
  })

  it('covers all requests among them', () => {
    const types = Object.values(messageTypes)
    const requests = knownMessages.filter(({ type }) => types.some((one) => one === type))
    expect(knownCases.map(({ name }) => name)).toEqual(requests.map(({ name }) => name))
  })
})

describe('the use of fields', () => {
  const everything = Object.fromEntries(paymentRows.map((row) => [firstNameOf(row), sampleOf(row)]))

  const complete = (kind: RequestKind): RequestMessage =>
    requestMessage(
      requestWith(everything, { ...ofKind(kind), amountMinor: 3200 }),
      trace(),
      { ...profile, forwarderId: '99' },
      { ...original, networkTransactionId, originalAmountMinor: 9200, captureSequence: 1 },
    )

  const useOf = (number: number, type: string): string => fieldUse[number]?.[useColumns.indexOf(type)] ?? '-'

  /** The fields of follow-ups. The advice of an offline sale refers to no other message. */
  const ofFollowUp = [62, 90]

  test.each(kinds)('%s has the mandatory fields, and no field that its type does not use', (kind) => {
    const { type, fields } = complete(kind)
    const numbers = Object.keys(fields).map(Number)
    const mandatory = Object.keys(fieldUse)
      .map(Number)
      .filter((number) => useOf(number, type) === 'M' && !(kind === 'offlineSale' && ofFollowUp.includes(number)))
    expect(mandatory.filter((number) => !numbers.includes(number))).toEqual([])
    expect(numbers.filter((number) => useOf(number, type) === '-' && !privateUse.has(number))).toEqual([])
  })

  test.each(kinds)('a minimal %s has the mandatory fields of a first message', (kind) => {
    const isFollowUp = kind === 'CP' || kind === 'RV'
    const message = requestMessage(request(ofKind(kind)), trace(), profile, isFollowUp ? original : undefined)
    const missing = Object.keys(fieldUse)
      .map(Number)
      .filter((number) => useOf(number, message.type) === 'M' && !Object.hasOwn(message.fields, number))
    expect(missing).toEqual(kind === 'offlineSale' ? ofFollowUp : isFollowUp ? [62] : [])
  })

  test.each(kinds)('a message of %s with every parameter can be encoded', (kind) => {
    expect(encodeMessage(ascii1987, complete(kind)).length).toBeLessThan(9_999)
  })

  it('has a row for each field, in their order', () => {
    const numbers = fieldRows.map(({ number }) => number)
    expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other))
  })

  it('belongs to these message types', () => {
    const types = { PA: '0100', DB: '0200', CD: '0200', CP: '0220', RV: '0400', RF: '0200', offlineSale: '0220' }
    expect(messageTypes).toEqual(types)
  })
})

describe('the advice of a sale that was approved offline', () => {
  const fieldsOf = (changes: Partial<typeof offlineApproval> | { time: undefined }) =>
    requestMessage(request({ ...offlineSale, offlineApproval: { ...offlineApproval, ...changes } }), trace(), profile)
      .fields

  it('has the approval, the time of the sale, and a reference number of its own', () => {
    expect(fieldsOf({})).toMatchObject({
      3: '000000',
      12: '235959',
      13: '1119',
      37: '632409000123',
      38: 'A1B2C3',
      39: 'Y1',
    })
  })

  it('has the time of the message without that of the sale', () => {
    expect(fieldsOf({ time: undefined })).toMatchObject({ 7: '1120093015', 12: '103015', 13: '1120' })
  })
})

describe('references', () => {
  const fieldsOf = (operation: AcquirerOperation, referred?: OriginalMessage) =>
    requestMessage(request({ operation, initialTransactionId: undefined }), trace(), profile, referred).fields
  const known = { ...original, networkTransactionId }
  const { originalData, retrievalReference: ofOriginal } = original
  const own = retrievalReference(trace())

  test.each([
    // operation, original, fields 37, 62 and 90
    ['PA', undefined, own, undefined, undefined],
    ['PA', known, own, networkId, originalData],
    ['DB', undefined, own, undefined, undefined],
    ['CP', known, ofOriginal, networkId, originalData],
    ['CP', original, ofOriginal, undefined, originalData],
    ['CP', undefined, own, undefined, undefined],
    ['RV', known, ofOriginal, networkId, originalData],
    ['RF', known, own, networkId, undefined],
    ['RF', original, own, undefined, originalData],
  ] as const)('%s with the original %j', (operation, referred, rrn, network, data) => {
    const fields = fieldsOf(operation, referred)
    expect([fields[37], fields[62], fields[90]]).toEqual([rrn, network, data])
  })

  it('takes the network id of an increase from the request', () => {
    const sent = request({ initialTransactionId: networkId })
    expect(requestMessage(sent, trace(), profile, original).fields[62]).toBe(networkId)
  })
})

describe('secrets', () => {
  const secretRequest = () =>
    request({
      account: card({ cvv: secretOf('123') }),
      secrets: new Map([['pos.iccDataRequest', secretOf('9F2602AABB')]]),
    })

  it('erases all secret values', () => {
    const message = requestMessage(secretRequest(), trace(), profile)
    expect([message.fields[2], message.fields[48], message.fields[55]].map((value) => value?.length)).toEqual([
      16, 8, 5,
    ])
    wipeMessage(message)
    for (const number of [2, 48, 55] as const) expect(message.fields[number]?.every((byte) => byte === 0)).toBe(true)
  })

  it('copies secrets, so that the request keeps its own', () => {
    const sent = secretRequest()
    wipeMessage(requestMessage(sent, trace(), profile))
    expect(sent.account?.number?.use((bytes) => asciiText(bytes))).toBe('4200000000000091')
    expect(sent.account?.cvv?.use((bytes) => asciiText(bytes))).toBe('123')
  })

  it('fails without a value if a secret fits in no message', () => {
    const sent = { ...secretRequest(), secrets: new Map([['pos.iccDataRequest', secretOf('XYZ1')] as const]) }
    expect(() => requestMessage(sent, trace(), profile)).toThrow(new FieldError('must be hexadecimal digits', 55))
  })
})

describe('hostile requests', () => {
  const items = Array.from({ length: 1_000 }, (_, index) => [
    [`cart.items[${index}].name`, 'Schöne Grüße 你好 💳\n'.repeat(10)],
    [`cart.items[${index}].description`, 'é'.repeat(2_048)],
    [`cart.items[${index}].quantity`, '1'],
  ])
  const long = Object.fromEntries([
    ...items.flat(),
    ...['givenName', 'surname', 'email', 'ip', 'merchantReference'].map((word) => [
      `customer.${word}`,
      '好'.repeat(255),
    ]),
    ['merchant.name', 'Ünïcödé * 🛒'.repeat(8)],
    ['merchant.city', '東京'.repeat(50)],
    ['billing.street1', '/'.repeat(100)],
  ])

  test.each(operations)('%s with 1000 items and characters of all scripts can be encoded', (operation) => {
    const sent = requestWith({ 'card.number': '4200000000000091', ...long }, { operation })
    const message = requestMessage(sent, trace(), profile, original)
    expect(encodeMessage(ascii1987, message).length).toBeGreaterThan(1_000)
  })

  it('can be encoded without parameters, account and original', () => {
    for (const operation of operations) {
      const sent = request({ operation, account: undefined, descriptor: '', parameters: new Map() })
      expect(encodeMessage(ascii1987, requestMessage(sent, trace(), profile)).length).toBeGreaterThan(100)
    }
  })

  it('holds the longest values of field 48 that a payment without a terminal can have', () => {
    const values = {
      ...proof,
      'threeDSecure.acsTransactionId': 'a'.repeat(36),
      'threeDSecure.authenticationStatus': 'Y',
      'threeDSecure.challengeMandatedIndicator': 'Y',
      'threeDSecure.authType': '01',
      'threeDSecure.transactionStatusReason': '01',
      'threeDSecure.challengeIndicator': '01',
      'threeDSecure.exemptionFlag': '01',
      'threeDSecure.schemeData[CB-ITEMSNB]': '01',
      'threeDSecure.schemeData[CB-SCORE_MERCHANT]': 'b'.repeat(20),
      'threeDSecure.schemeData[CB-USECASE]': '01',
      'standingInstruction.type': 'INSTALLMENT',
      'standingInstruction.mode': 'INITIAL',
      'standingInstruction.source': 'CIT',
      'standingInstruction.industryPractice': 'NO_SHOW',
      'standingInstruction.initialTransactionId': '9'.repeat(255),
      'standingInstruction.numberOfInstallments': '999',
      'billing.street1': 's'.repeat(100),
      'billing.postcode': '1'.repeat(16),
      'merchant.name': 'm'.repeat(100),
      'tokenAccount.cryptogram': 'A'.repeat(32),
      'virtualAccount.accountId': 'v'.repeat(100),
      'recipient.accountNumber': 'r'.repeat(32),
    }
    const sent = requestWith(values, { operation: 'DB', partialApproval: true, brand: 'CARTEBANCAIRE' })
    const message = requestMessage(sent, trace(), profile)
    expect(message.fields[48]?.length).toBeGreaterThan(700)
    expect(() => encodeMessage(ascii1987, message)).not.toThrow()
  })
})

test('the bytes of a card number are its digits', () => {
  expect(requestMessage(request(), trace(), profile).fields[2]).toEqual(asciiBytes('4200000000000091'))
})
