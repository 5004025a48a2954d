import { describe, expect, it } from 'vitest'
import type { AcquirerRequest } from '../port.ts'
import { answerTo, initialOperations, followUpOperations, request, secret } from './testing/requests.ts'

describe('a terminal', () => {
  const terminal = { 'pos.entryMode': 'ICC' }

  const receiptFields = {
    clearing: { authorizationAcquirerCode: '00', identifier: expect.stringMatching(/^632411\d{6}$/) },
    merchantId: 'TOLLGATE0000001',
    timestamp: '2026-11-20 11:30:00',
  }

  it.each(initialOperations)('gets the fields of its receipt in the answer to %s', (operation) => {
    const { pos, details } = answerTo(request({ operation }, terminal))
    expect(pos).toEqual({
      ...receiptFields,
      clearing: { ...receiptFields.clearing, authorizationIssuerCode: details.AuthCode },
      statusText: `AUTHCODE${details.AuthCode}`,
    })
  })

  it.each(followUpOperations)('gets no fields of an issuer in the answer to %s', (operation) => {
    const secrets = new Map([['pos.iccDataRequest', secret('9F26')] as const])
    expect(answerTo(request({ operation, secrets }, terminal)).pos).toEqual({
      ...receiptFields,
      statusText: 'APPROVED',
    })
  })

  it('gets no data for the chip if the issuer was not reached', () => {
    const secrets = new Map([['pos.iccDataRequest', secret('9F26')] as const])
    const { pos } = answerTo(request({ amountMinor: 8_889_100, secrets }, terminal))
    expect(pos).toMatchObject({ clearing: { authorizationAcquirerCode: '91' }, statusText: 'NOTAUTHORISED' })
    expect(pos?.iccDataResponse).toBeUndefined()
  })

  it('gets data for the chip, with the response, if the request has data of the chip', () => {
    const secrets = new Map([['pos.iccDataRequest', secret('9F26')] as const])
    const chipData = (changes: Partial<AcquirerRequest>) =>
      answerTo(request({ secrets, ...changes }, terminal)).pos?.iccDataResponse
    expect(chipData({})).toMatch(/^8A023030910A[0-9A-F]{16}3030$/)
    expect(chipData({ amountMinor: 8_885_100 })).toMatch(/^8A023531910A[0-9A-F]{16}3531$/)
    expect(chipData({ transactionId: '0'.repeat(32) })).not.toBe(chipData({}))
  })

  it('gets the approval code of the card for a sale that was approved offline, whatever its amount', () => {
    const secrets = new Map([['pos.iccDataRequest', secret('9F270140')] as const])
    const offlineApproval = { approvalCode: 'Y3', responseCode: 'Y3', date: undefined, time: undefined }
    const { status, details, pos } = answerTo(
      request({ operation: 'DB', amountMinor: 8_885_100, secrets, offlineApproval }, terminal),
    )
    expect([status, details.AcquirerResponse, details.AuthCode]).toEqual(['approved', '00', 'Y3'])
    expect(pos).toEqual({
      ...receiptFields,
      clearing: { ...receiptFields.clearing, authorizationIssuerCode: 'Y3' },
      statusText: 'AUTHCODEY3',
    })
  })

  it('gets no approval code for a decline, and requests without a terminal get no fields for a terminal', () => {
    const declined = answerTo(request({ amountMinor: 8_880_500 }, terminal)).pos
    expect(declined).toMatchObject({ clearing: { authorizationAcquirerCode: '05' }, statusText: 'NOTAUTHORISED' })
    expect(declined?.clearing.authorizationIssuerCode).toBeUndefined()
    expect(answerTo(request()).pos).toBeUndefined()
  })
})
