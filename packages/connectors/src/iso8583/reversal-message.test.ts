import { wipeMessage } from '@tollgate/iso8583'
import { expect, test } from 'vitest'
import { requestMessage } from './requests/request-message.ts'
import { asciiText, card, profile, request, secretOf, trace } from './requests/testing/requests.ts'
import { reversalMessage } from './reversal-message.ts'
import { sentAsOf } from './sent-as.ts'

const forwarded = { ...profile, forwarderId: '500456' }
const account = card({ cvv: secretOf('123') })
const first = trace()
const later = trace('2026-11-20T09:31:00Z', '000777')

function reversalOf(isRepeat: boolean) {
  const message = requestMessage(request({ account }), first, forwarded)
  const sent = sentAsOf({ ...message, fields: { ...message.fields, 22: '071' } }, first, new Map(), {})
  const reversal = sentAsOf(message, later, new Map(), {})
  return { message, advice: reversalMessage(forwarded, message, { sent, reversal, isRepeat }) }
}

test('the advice has the fields of the request, a trace of its own, and refers to the request', () => {
  const { advice } = reversalOf(false)
  const { 2: number, ...texts } = advice.fields
  expect([advice.type, number && asciiText(number)]).toEqual(['0420', '4200000000000091'])
  expect(texts).toEqual({
    3: '000000',
    4: '000000009200',
    7: '1120093100',
    11: '000777',
    12: '103015',
    13: '1120',
    14: '3112',
    18: '5734',
    22: '071',
    25: '59',
    32: '400123',
    33: '500456',
    37: '632409000123',
    39: '68',
    41: 'TERM0001',
    42: 'MERCHANT0000001',
    43: 'SHOP*ORDER 4711          MUENCHEN     DE',
    49: '978',
    90: '010000012311200930150000040012300000500456',
  })
})

test('the advice has the ids of acquirer and forwarder that the request had, although the profile has changed', () => {
  const message = requestMessage(request({ account }), first, forwarded)
  const sent = sentAsOf(message, first, new Map(), {})
  const changed = { ...profile, acquirerId: '999999', forwarderId: undefined }
  const now = requestMessage(request({ account }), first, changed)
  const { fields } = reversalMessage(changed, now, { sent, reversal: sent, isRepeat: false })
  expect([fields[32], fields[33], fields[90]]).toEqual([
    '400123',
    '500456',
    '010000012311200930150000040012300000500456',
  ])
})

test('a repeat differs from the first advice only in its type', () => {
  const [sent, repeated] = [reversalOf(false).advice, reversalOf(true).advice]
  expect(repeated).toEqual({ ...sent, type: '0421' })
})

test('secrets of the request that the advice does not repeat are erased, and the others can be', () => {
  const { message, advice } = reversalOf(false)
  expect(message.fields[48]?.length).toBeGreaterThan(0)
  expect(message.fields[48]?.every((byte) => byte === 0)).toBe(true)
  expect(advice.fields[2]?.every((byte) => byte > 0)).toBe(true)
  wipeMessage(advice)
  expect(message.fields[2]?.every((byte) => byte === 0)).toBe(true)
})
