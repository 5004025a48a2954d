import { describe, expect, test } from 'vitest'
import type { HostMessage } from './host-message.ts'
import { networkMessage, reconciliation, testMessage, type TestTotals } from './testing/messages.ts'
import { TestHost } from './testing/test-host.ts'

describe('the session of a connection', () => {
  test.each([
    ['001', '00', true],
    ['002', '00', false],
    ['301', '00', false],
    ['201', '00', false],
    ['161', '00', false],
    ['999', '40', false],
  ])('function %s is answered with %s; signed on: %s', (code, expected, isSignedOn) => {
    const host = new TestHost()
    host.session.isSignedOn = false
    const answer = host.send(networkMessage(code))
    expect([answer.type, answer.fields[39], answer.fields[70]]).toEqual(['0810', expected, code])
    expect(host.session.isSignedOn).toBe(isSignedOn)
  })

  test('a sign-off ends it', () => {
    const host = new TestHost()
    host.send(networkMessage('002'))
    expect(host.step('sale', { type: '0200' }).fields[39]).toBe('91')
  })

  test.each([
    ['0100', '0110'],
    ['0101', '0110'],
    ['0200', '0210'],
    ['0220', '0230'],
    ['0221', '0230'],
    ['0400', '0410'],
    ['0420', '0430'],
    ['0421', '0430'],
    ['0500', '0510'],
  ])('without it %s is answered with %s and code 91, and has no effect', (type, answerType) => {
    const host = new TestHost()
    host.session.isSignedOn = false
    const answer = host.send(testMessage({ type }))
    expect([answer.type, answer.fields[39], host.transactions]).toEqual([answerType, '91', []])
    host.session.isSignedOn = true
    expect(host.send(testMessage({ type: '0201' })).fields[39]).toBe('00')
  })
})

test.each([
  ['0600', '0610'],
  ['0120', '0130'],
  ['1100', '1110'],
])('the type %s is unsupported', (type, answerType) => {
  const answer = new TestHost().send({ ...testMessage({ type: '0100' }), type })
  expect([answer.type, answer.fields[39]]).toEqual([answerType, '40'])
})

test.each(['0110', '0210', '0430', '0810'])('the answer %s has no answer', (type) => {
  expect(() => new TestHost().send({ ...testMessage({ type: '0100' }), type })).toThrow(`does not answer ${type}`)
})

describe('a format error', () => {
  const without = (number: number): HostMessage['fields'] => ({ [number]: undefined })

  test.each([2, 3, 4, 7, 11, 12, 13, 18, 22, 25, 32, 41, 42, 43, 49])('is a request without field %i', (number) => {
    for (const type of ['0100', '0200', '0220', '0400']) {
      const host = new TestHost()
      expect(host.send(testMessage({ type, fields: without(number) })).fields[39]).toBe('30')
      expect(host.entries).toEqual([])
    }
  })

  test.each([
    ['an advice without approval code', testMessage({ type: '0220', fields: { 38: undefined } })],
    ['a reversal without original', testMessage({ type: '0420' })],
    ['a reversal advice without reason', testMessage({ type: '0420', fields: { 39: undefined, 90: '0'.repeat(42) } })],
    ['a network message without function', { ...networkMessage('301'), fields: { 7: '1120093000', 11: '000001' } }],
    ['a reconciliation without net amount', reconciliation(zeroTotals(), 1, { 97: undefined })],
    ['damaged private data', testMessage({ type: '0100', fields: { 48: Uint8Array.of(0x30) } })],
    ['damaged data of a chip', testMessage({ type: '0100', fields: { 2: undefined, 55: Uint8Array.of(0x5a) } })],
    ['a replacement without digits', testMessage({ type: '0400', fields: { 90: '0'.repeat(42), 95: 'A'.repeat(42) } })],
    ['a sequence of captures without digits', testMessage({ type: '0220', data: { '13': '1/2' } })],
  ])('is %s', (_name, message) => {
    expect(new TestHost().send(message).fields[39]).toBe('30')
  })
})

describe('a message that is transmitted again', () => {
  test.each([
    ['0100', {}, '0101'],
    ['0200', {}, '0201'],
    ['0220', {}, '0221'],
    ['0220', {}, '0220'],
    ['0400', { of: 'sale' }, '0401'],
    ['0420', { of: 'sale' }, '0421'],
    ['0420', { of: 'sale' }, '0420'],
  ])('%s %j gets the same answer by %s', (type, more, repeated) => {
    const host = new TestHost()
    host.step('sale', { type: '0200' })
    const first = host.step('message', { type, ...more })
    const before = [host.transactions, host.balances, host.totals]
    const again = host.repeat('message', repeated)
    expect(again).toEqual(first)
    expect([host.transactions, host.balances, host.totals]).toEqual(before)
  })

  test.each([
    ['0100', {}],
    ['0200', {}],
    ['0400', { of: 'sale' }],
  ])('%s %j is a duplicate as a new request', (type, more) => {
    const host = new TestHost()
    host.step('sale', { type: '0200' })
    host.step('message', { type, ...more })
    expect(host.repeat('message', type).fields[39]).toBe('94')
    expect(host.repeat('message', `${type.slice(0, 3)}1`).fields[39]).toBe('00')
  })

  test('a repeat is processed if its first transmission did not arrive', () => {
    const host = new TestHost()
    expect(host.step('sale', { type: '0201' }).fields[39]).toBe('00')
    expect(host.repeat('sale', '0200').fields[39]).toBe('94')
    expect(host.transactions).toEqual(['sale captured 9200 9200 0 0'])
  })

  test('a decline is repeated, too', () => {
    const host = new TestHost()
    host.step('sale', { type: '0200', card: '4999990000000056' })
    expect(host.repeat('sale', '0201').fields[39]).toBe('05')
  })

  test.each([
    ['amount', { amount: 1 }],
    ['card', { card: '5599990000000008' }],
    ['terminal', { terminal: 'TERM0002' }],
    ['merchant', { merchant: 'MERCHANT0000002' }],
    ['trace number', { stan: 2 }],
    ['time', { fields: { 7: '1120093016' } }],
    ['acquirer', { fields: { 32: '400124' } }],
  ])('another %s is another message', (_name, more) => {
    const host = new TestHost()
    for (const step of [{}, more]) expect(host.send(testMessage({ type: '0200', ...step })).fields[39]).toBe('00')
  })
})

function zeroTotals(): TestTotals {
  return { counts: [0, 0, 0, 0], amounts: [0, 0, 0, 0], net: 'C0' }
}

describe('a reconciliation', () => {
  /** Sales of 92.00 and 60.00, a refund of 10.00, and a reversal of the second sale down to 50.00. */
  function hostWithBatch(): TestHost {
    const host = new TestHost()
    host.step('first', { type: '0200', amount: 9200 })
    host.step('second', { type: '0200', amount: 6000 })
    host.step('refund', { type: '0200', processing: '20', amount: 1000, of: 'first' })
    host.step('reversal', { type: '0400', amount: 6000, of: 'second', remaining: 5000 })
    return host
  }
  const totals: TestTotals = { counts: [1, 0, 2, 1], amounts: [1000, 0, 15_200, 1000], net: 'D13200' }

  test('in balance closes the batch', () => {
    const host = hostWithBatch()
    const answer = host.send(reconciliation(totals))
    expect([answer.type, answer.fields[39], answer.fields[66]]).toEqual(['0510', '00', '1'])
    expect([...host.host.state.closedBatches.values()]).toMatchObject([{ number: 1, closedBy: 'client' }])
    expect(host.totals).toEqual(['0:0 0:0 0:0 0:0'])
    expect(host.send(reconciliation(zeroTotals(), 901)).fields[66]).toBe('1')
  })

  test.each([
    ['count of credits', { counts: [2, 0, 2, 1] }],
    ['count of reversed credits', { counts: [1, 1, 2, 1] }],
    ['count of debits', { counts: [1, 0, 3, 1] }],
    ['count of reversed debits', { counts: [1, 0, 2, 0] }],
    ['amount of credits', { amounts: [1001, 0, 15_200, 1000] }],
    ['amount of reversed credits', { amounts: [1000, 1, 15_200, 1000] }],
    ['amount of debits', { amounts: [1000, 0, 15_201, 1000] }],
    ['amount of reversed debits', { amounts: [1000, 0, 15_200, 0] }],
    ['net amount', { net: 'D13201' }],
    ['sign of the net amount', { net: 'C13200' }],
  ] as const)('with another %s is out of balance, and shows the totals of the host', (_name, change) => {
    const host = hostWithBatch()
    const { fields } = host.send(reconciliation({ ...totals, ...change }))
    expect([fields[39], fields[66]]).toEqual(['95', '2'])
    expect([fields[74], fields[75], fields[76], fields[77]]).toEqual(['1', '0', '2', '1'])
    expect([fields[86], fields[87], fields[88], fields[89]]).toEqual(['1000', '0', '15200', '1000'])
    expect(fields[97]).toBe('D0000000000013200')
    expect(host.send(reconciliation(totals, 901)).fields[66]).toBe('1')
  })

  test('a repeat gets the same answer, and a new request with the same number is a duplicate', () => {
    const host = hostWithBatch()
    const message = reconciliation(totals)
    host.send(message)
    expect(host.send({ ...message, type: '0501' }).fields[66]).toBe('1')
    expect(host.send(message).fields[39]).toBe('94')
  })

  test.each([
    ['a terminal of its own', { 41: 'TERM0002' }, '1', zeroTotals()],
    ['another currency', { 50: '840' }, '1', zeroTotals()],
    ['another merchant', { 42: 'MERCHANT0000002' }, '1', zeroTotals()],
    ['all terminals', { 41: undefined }, '1', { ...totals, counts: [1, 0, 3, 1], amounts: [1000, 0, 15_300, 1000] }],
  ] as const)('is about %s', (_name, fields, settlement, { counts, amounts }) => {
    const host = hostWithBatch()
    host.step('other terminal', { type: '0200', amount: 100, terminal: 'TERM0003' })
    host.step('other currency', { type: '0200', amount: 7, terminal: 'TERM0003', currency: '752' })
    const net = counts[2] === 3 ? 'D13300' : 'D0'
    expect(host.send(reconciliation({ counts, amounts, net }, 900, fields)).fields[66]).toBe(settlement)
  })

  test('ends the reversals of its transactions by request; an advice takes effect in the next batch', () => {
    const host = new TestHost()
    host.step('hold', { type: '0100', amount: 9200 })
    host.step('sale', { type: '0200', amount: 9200 })
    host.send(reconciliation({ counts: [0, 0, 1, 0], amounts: [0, 0, 9200, 0], net: 'D9200' }))
    expect(host.step('request', { type: '0400', of: 'sale' }).fields[39]).toBe('21')
    expect(host.step('of hold', { type: '0400', of: 'hold' }).fields[39]).toBe('00')
    expect(host.step('advice', { type: '0420', of: 'sale' }).fields[39]).toBe('00')
    expect(host.totals).toEqual(['0:0 0:0 0:0 1:9200'])
    const next: TestTotals = { counts: [0, 0, 0, 1], amounts: [0, 0, 0, 9200], net: 'C9200' }
    expect(host.send(reconciliation(next, 901)).fields[66]).toBe('1')
  })

  test('the host closes batches, too', async () => {
    const host = hostWithBatch()
    await host.host.closeBatches([...host.host.state.batches.values()])
    expect([...host.host.state.closedBatches.values()]).toMatchObject([{ number: 1, closedBy: 'host' }])
    expect(host.step('request', { type: '0400', of: 'first' }).fields[39]).toBe('21')
  })
})
