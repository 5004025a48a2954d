import { type ResponseClass, responseCodes, resultOfResponse } from '@tollgate/contract'
import { encodePrivateData } from '@tollgate/iso8583'
import { describe, expect, it, test } from 'vitest'
import type { AcquirerAnswer, AcquirerRequest } from '../port.ts'
import { type HostAnswer, type IsoMessage, readAnswer } from './answer.ts'
import { requestMessage } from './requests/request-message.ts'
import { asciiBytes, networkId, original, profile, request, trace } from './requests/testing/requests.ts'

type Fields = IsoMessage['fields']

interface Exchange {
  readonly changes?: Partial<AcquirerRequest>
  readonly parameters?: Readonly<Record<string, string>>
  /** Fields of the answer, besides those that it repeats; undefined: the answer does not have the field. */
  readonly answer?: Fields
}

/** Reads the answer to a request: it repeats the fields of the request, and approves it with 00 by default. */
function read({ changes = {}, parameters = {}, answer = {} }: Exchange): HostAnswer {
  const sentRequest = request(changes, parameters)
  const isFollowUp = sentRequest.operation === 'RV' || sentRequest.operation === 'CP'
  const originalAmountMinor = sentRequest.original?.amountMinor
  const message = requestMessage(
    sentRequest,
    trace(),
    profile,
    isFollowUp ? { ...original, originalAmountMinor } : undefined,
  )
  const { 3: processing, 4: amount, 37: reference, 41: terminal, 42: merchant, 49: currency } = message.fields
  const repeated = { 3: processing, 4: amount, 37: reference, 41: terminal, 42: merchant, 49: currency }
  return readAnswer(
    profile,
    sentRequest,
    { message, trace: trace() },
    { type: '0110', fields: { ...repeated, 39: '00', ...answer } },
  )
}

function answerTo(exchange: Exchange): AcquirerAnswer {
  const result = read(exchange)
  if (result.kind === 'mismatch') return expect.fail(`field ${result.field} differs`)
  return result.answer
}

const live = { testMode: null, partialApproval: true } as const

/** A payment of one response code: the status, and the result code in the live environment. */
const expectedByClass: Readonly<
  Record<ResponseClass, (code: string) => readonly [status: string, code: string, minor: number]>
> = {
  approved: () => ['approved', '000.000.000', 9200],
  partial: () => ['approved', '000.000.001', 5000],
  declined: (code) => ['declined', resultOfResponse(code, 'VISA'), 0],
  softDecline: (code) => ['declined', resultOfResponse(code, 'VISA'), 0],
  pickUp: (code) => ['declined', resultOfResponse(code, 'VISA'), 0],
  error: (code) => ['declined', resultOfResponse(code, 'VISA'), 0],
  // A notice is not about the payment. Some have the result code of a success, which no declined payment may have.
  notice: () => ['declined', '800.100.100', 0],
}

test.each(Object.entries(responseCodes))('response code %s decides the result by its class', (code, row) => {
  const amount = row.class === 'partial' ? '000000005000' : '000000009200'
  const {
    status,
    code: resultCode,
    amountMinor,
    details,
  } = answerTo({ changes: live, answer: { 4: amount, 39: code } })
  expect([status, resultCode, amountMinor]).toEqual(expectedByClass[row.class](code))
  expect(details['AcquirerResponse']).toBe(code)
  const advice = row.class === 'notice' || row.class === 'approved' ? undefined : row.advice
  expect(details['MerchantAdviceCode']).toBe(advice)
})

test.each([
  ['an unknown response code', 'ZZ', 'VISA', '800.100.100', 'Unknown response code'],
  ['a name of an object’s member', 'constructor', 'VISA', '800.100.100', 'Unknown response code'],
  ['a decline', '51', 'VISA', '800.100.155', 'Not enough funds'],
  ['a code that means another thing at Visa', '65', 'VISA', '800.100.163', 'Withdrawal frequency exceeded'],
  [
    'a code that means another thing at Mastercard',
    '65',
    'MASTER',
    '300.100.100',
    expect.not.stringMatching('frequency'),
  ],
])('%s has a result code, and an explanation that fits it', (_, response, brand, code, explanation) => {
  const answer = answerTo({ changes: { brand }, answer: { 39: response } })
  expect([answer.status, answer.code, answer.amountMinor]).toEqual(['declined', code, 0])
  expect(answer.details).toMatchObject({ ExtendedDescription: explanation, AcquirerResponse: response })
})

test.each([
  ['the live environment', null, '000.000.000'],
  ['the simulator', 'INTERNAL', '000.100.110'],
  ['the test system of the processor', 'EXTERNAL', '000.100.112'],
] as const)('an approval in %s has its own result code', (_, testMode, code) => {
  const { status, code: resultCode, details } = answerTo({ changes: { testMode } })
  expect([status, resultCode, details['ExtendedDescription']]).toEqual(['approved', code, 'Approved'])
})

describe('an approval of a part', () => {
  const part = { 4: '000000005000', 38: 'A1B2C3', 39: '10' }

  test('is approved with its amount if the merchant accepts it', () => {
    const result = read({ changes: { partialApproval: true }, answer: part })
    expect(result).toMatchObject({
      kind: 'answer',
      answer: {
        status: 'approved',
        code: '000.000.001',
        amountMinor: 5000,
        details: { ExtendedDescription: 'Transaction approved for a part of the amount', AcquirerResponse: '10' },
      },
    })
  })

  test('is to be reversed and declined if the merchant does not accept it', () => {
    const result = read({ parameters: { 'pos.entryMode': 'ICC' }, answer: part })
    expect(result).toMatchObject({
      kind: 'partial',
      answer: { status: 'declined', code: '800.100.155', amountMinor: 0, details: { AcquirerResponse: '10' } },
    })
  })

  test.each([
    ['with a third decimal', '000000046005', 'partial', '800.100.155'],
    ['with two decimals', '000000046010', 'answer', '000.000.001'],
  ] as const)('in dinars is accepted only with two decimals: %s', (_, amount, kind, code) => {
    const changes = { partialApproval: true, currency: 'BHD', amountMinor: 92_010 }
    expect(read({ changes, answer: { ...part, 4: amount } })).toMatchObject({ kind, answer: { code } })
  })

  test('that is not accepted does not show as approved at the terminal', () => {
    const { pos } = answerTo({ parameters: { 'pos.entryMode': 'ICC' }, answer: part })
    expect([pos?.statusText, pos?.clearing.authorizationIssuerCode]).toEqual(['NOTAUTHORISED', undefined])
  })
})

describe('an answer that does not fit its request is not accepted', () => {
  const partial = { partialApproval: true }
  test.each([
    ['another processing code', 3, {}, { 3: '200000' }],
    ['another reference number', 37, {}, { 37: '432410000124' }],
    ['another terminal', 41, {}, { 41: 'TERM0002' }],
    ['another merchant', 42, {}, { 42: 'MERCHANT0000002' }],
    ['another currency', 49, {}, { 49: '840' }],
    ['no response code', 39, {}, { 39: undefined }],
    ['an approval of less', 4, {}, { 4: '000000009199' }],
    ['an approval of more', 4, {}, { 4: '000000009201' }],
    ['an approval of a part that is all', 4, partial, { 4: '000000009200', 39: '10' }],
    ['an approval of a part that is more', 4, partial, { 4: '000000009201', 39: '10' }],
    ['an approval of a part that is nothing', 4, partial, { 4: '000000000000', 39: '10' }],
    ['an approval of a part without its amount', 4, partial, { 4: undefined, 39: '10' }],
  ] as const)('%s: field %i differs', (_, field, changes, answer) => {
    expect(read({ changes, answer })).toEqual({ kind: 'mismatch', field })
  })
})

describe('an answer fits its request', () => {
  test.each([
    [
      'without the fields that it may omit',
      {},
      { 3: undefined, 4: undefined, 37: undefined, 41: undefined, 42: undefined, 49: undefined },
    ],
    ['with a terminal and a merchant that are filled with spaces', {}, { 41: 'TERM0001  ', 42: 'MERCHANT0000001   ' }],
  ] as const)('%s', (_, changes, answer) => {
    expect(answerTo({ changes, answer })).toMatchObject({ status: 'approved', amountMinor: 9200 })
  })

  test('of a decline, whatever its amount is', () => {
    expect(answerTo({ answer: { 4: '000000000001', 39: '05' } })).toMatchObject({ status: 'declined', amountMinor: 0 })
  })

  test('of a partial reversal with the amount of the original', () => {
    const changes = {
      operation: 'RV',
      amountMinor: 3200,
      original: { transactionId: 't', references: [], amountMinor: 9200 },
    } as const
    expect(answerTo({ changes, answer: { 4: '000000009200' } })).toMatchObject({
      status: 'approved',
      amountMinor: 3200,
    })
  })
})

describe('details', () => {
  it('has the references by which follow-ups refer to the request', () => {
    const { details } = answerTo({ answer: { 38: 'A1B2C ', 62: `${networkId}  ` } })
    expect(details).toEqual({
      ExtendedDescription: 'Approved',
      clearingInstituteName: 'Test acquirer',
      ConnectorTxID1: '632409000123',
      ConnectorTxID2: '010000012311200930150000040012300000000000',
      ConnectorTxID3: 'A1B2C',
      AcquirerResponse: '00',
      CardholderInitiatedTransactionID: networkId,
    })
  })

  it('has no entry for what the answer lacks', () => {
    const { details } = answerTo({ answer: { 37: undefined, 38: '      ' } })
    expect(Object.keys(details).toSorted()).toEqual([
      'AcquirerResponse',
      'ConnectorTxID1',
      'ConnectorTxID2',
      'ExtendedDescription',
      'clearingInstituteName',
    ])
    expect(details['ConnectorTxID1']).toBe('632409000123')
  })
})

test.each([
  ['the advice in field 48 comes first', '51', '0900203', '03'],
  ['an advice after other elements', '51', '02002050900224', '24'],
  ['the usual advice without field 48', '51', undefined, '02'],
  ['the usual advice without an element 09', '51', '0200205', '02'],
  ['the usual advice if the element has no known code', '51', '0900299', '02'],
  ['the usual advice if field 48 is damaged', '51', '09x0203', '02'],
  ['the usual advice if field 48 ends within an element', '51', '0900903', '02'],
  ['no advice if there is no usual one', '03', undefined, undefined],
  ['no advice with an approval', '00', '0900203', undefined],
])('merchant advice: %s', (_, response, privateData, advice) => {
  const { details } = answerTo({
    answer: { 39: response, 48: privateData === undefined ? undefined : asciiBytes(privateData) },
  })
  expect(details['MerchantAdviceCode']).toBe(advice)
})

/** Field 44 with the result of the address verification in position 2 and that of the code in position 11. */
const resultsField = (avs: string, cvv: string): string => ` ${avs}        ${cvv}`

test.each([
  ['Y', 'F'],
  ['D', 'F'],
  ['M', 'F'],
  ['X', 'F'],
  ['A', 'A'],
  ['B', 'A'],
  ['Z', 'Z'],
  ['P', 'Z'],
  ['W', 'Z'],
  ['N', 'N'],
  ['U', 'U'],
  ['R', 'U'],
  ['G', 'U'],
  [' ', undefined],
])('AVS result "%s" of the network is avsResponse %s', (letter, avs) => {
  expect(answerTo({ answer: { 44: resultsField(letter, ' ') } })).toMatchObject({ avs, cvv: undefined })
})

test.each([
  ['M', 'M'],
  ['N', 'N'],
  ['P', 'P'],
  ['S', 'S'],
  ['U', 'U'],
  ['X', 'U'],
  [' ', undefined],
])('CVV result "%s" of the network is cvvResponse %s', (letter, cvv) => {
  expect(answerTo({ answer: { 44: resultsField(' ', letter) } })).toMatchObject({ avs: undefined, cvv })
})

test.each([[undefined], [''], ['5']])('field 44 "%s" has no verification results', (results) => {
  expect(answerTo({ answer: { 44: results } })).toMatchObject({ avs: undefined, cvv: undefined })
})

describe('fields for a terminal', () => {
  const parameters = { 'pos.entryMode': 'ICC' }
  const icc = Uint8Array.from([0x8a, 0x02, 0x30, 0x30])

  test.each([
    ['an approval', { 38: 'A1B2C3', 55: icc }, 'AUTHCODEA1B2C3', 'A1B2C3', '8A023030', '00'],
    ['an approval without an approval code', {}, 'APPROVED', undefined, undefined, '00'],
    ['a decline', { 38: 'A1B2C3', 39: '51' }, 'NOTAUTHORISED', undefined, undefined, '51'],
  ] as const)('%s', (_, answer, statusText, approvalCode, iccDataResponse, response) => {
    expect(answerTo({ parameters, answer }).pos).toEqual({
      clearing: {
        authorizationAcquirerCode: response,
        authorizationIssuerCode: approvalCode,
        identifier: '632409000123',
      },
      merchantId: 'MERCHANT0000001',
      iccDataResponse,
      statusText,
      timestamp: '2026-11-20 09:30:15',
    })
  })

  // Elements: 91 the issuer's authentication data, 8A the response, 71 and 72 scripts; 57 and 5A the card.
  test.each([
    ['the elements for the chip', '910A5A5A5A5A5A5A5A5A30308A023030', '910A5A5A5A5A5A5A5A5A30308A023030'],
    ['scripts of the issuer', '8A02303571029F187202860A', '8A02303571029F187202860A'],
    ['no data of the card', '57114200000000000091D31122010000000000005A0842000000000000918A023030', '8A023030'],
    ['no other elements', '9F360200018A023030', '8A023030'],
    ['nothing if no element is for the chip', '5A084200000000000091', undefined],
    ['nothing if the data are damaged', '8A0230309108', undefined],
    ['nothing if there are no data', '', undefined],
  ])('have %s', (_, hex, iccDataResponse) => {
    const answer = { 38: 'A1B2C3', 55: Uint8Array.from(Buffer.from(hex, 'hex')) }
    expect(answerTo({ parameters, answer }).pos?.iccDataResponse).toBe(iccDataResponse)
  })

  test.each([
    ['of the host', '51', { '28': 'WRONGPIN' }, 'WRONGPIN'],
    ['of an approval by the host', '00', { '28': 'APPROVED OFFLINE!' }, 'APPROVEDOFFLINE'],
    ['of the gateway if that of the host is empty', '51', { '28': ' -' }, 'NOTAUTHORISED'],
    ['of the gateway with the approval code', '00', {}, 'AUTHCODEA1B2C3'],
  ])('have the text %s', (_, code, elements, statusText) => {
    const answer = { 38: 'A1B2C3', 39: code, 48: encodePrivateData(new Map(Object.entries(elements))) }
    expect(answerTo({ parameters, answer }).pos?.statusText).toBe(statusText)
  })

  test('have letters and digits only, and the number of the request if the answer has none', () => {
    const { pos } = answerTo({ parameters, answer: { 37: undefined, 38: 'A 1-B' } })
    expect(pos?.clearing).toMatchObject({ authorizationIssuerCode: 'A1B', identifier: '632409000123' })
  })

  test('have the approval code of the terminal after an offline sale', () => {
    const offlineApproval = { approvalCode: 'Y1', responseCode: 'Y1', date: undefined, time: undefined }
    const { pos } = answerTo({ changes: { operation: 'DB', offlineApproval }, parameters })
    expect([pos?.clearing.authorizationIssuerCode, pos?.statusText]).toEqual(['Y1', 'AUTHCODEY1'])
  })

  test('are absent if no terminal sent the request', () => {
    expect(answerTo({ answer: { 55: icc } }).pos).toBeUndefined()
  })
})
