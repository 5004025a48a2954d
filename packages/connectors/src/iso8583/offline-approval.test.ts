import { Secret } from '@tollgate/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { offlineApprovalIn } from './offline-approval.ts'

const approvalIn = (data: string) => offlineApprovalIn(new Secret(Uint8Array.from(Buffer.from(data))))

/** Tag 9F27 of a transaction certificate. */
const certificate = '9F270140'
const usual = { approvalCode: 'Y1', responseCode: 'Y1', date: undefined, time: undefined }

describe('the approval of the card', () => {
  test.each([
    ['a transaction certificate', '9F270140', usual],
    ['a transaction certificate with a reason', '9F27014F', usual],
    ['a request for an answer of the issuer', '9F270180', undefined],
    ['a decline by the card', '9F270100', undefined],
    ['no cryptogram', '9F02060000000092009A03260504', undefined],
    ['an empty cryptogram', '9F2700', undefined],
    ['nothing', '', undefined],
    ['no chip data', 'no chip data', undefined],
    ['half a byte', '9F2701400', undefined],
    ['an element that ends early', '9F2701409F2608AABB', undefined],
  ])('of %s', (_, data, approval) => {
    expect(approvalIn(data)).toEqual(approval)
  })

  test.each([
    ['the response code of the terminal', '8A025933', { responseCode: 'Y3', approvalCode: 'Y3' }],
    ['the code of a voice authorisation', '8906413142324333', { responseCode: 'Y1', approvalCode: 'A1B2C3' }],
    ['both codes', '8A0259338906413142324333', { responseCode: 'Y3', approvalCode: 'A1B2C3' }],
    ['other characters in the codes', '8A0200008906202020202020', {}],
    ['date and time of the sale', '9A032605049F2103235959', { date: '260504', time: '235959' }],
    ['no date and no time', '9A032613019F2103240000', {}],
    ['a day that no month has', '9A03260532', {}],
    ['a time of two bytes', '9F21022359', {}],
  ] as const)('has %s', (_, data, changes) => {
    expect(approvalIn(`${certificate}${data}`)).toEqual({ ...usual, ...changes })
  })
})

test('data of any kind have an approval or none, and the secret stays readable', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const data = new Secret(Uint8Array.from(Buffer.from(Buffer.from(bytes).toString('hex'))))
      const { approvalCode = 'Y1', responseCode = 'Y1' } = offlineApprovalIn(data) ?? {}
      expect([approvalCode, responseCode].every((code) => /^[0-9A-Z]{2,6}$/.test(code))).toBe(true)
      expect(data.length).toBe(2 * bytes.length)
    }),
  )
})
