import type { Secret } from '@tollgate/contract'
import { describe, expect, test } from 'vitest'
import type { AcquirerOperation, AcquirerRequest } from '../port.ts'
import type { IsoMessage } from './answer.ts'
import { card, request, secretOf, secrets } from './requests/testing/requests.ts'
import {
  answerOf,
  capture,
  connectHost,
  followUp,
  nonZero,
  offlineSale,
  openOf,
  original,
  type HostOutcome,
  unknown,
} from './testing/recording-host.ts'

/** The references of a preauthorisation by a process with a terminal id. */
const sentAsBy = (terminalId: string): string =>
  JSON.stringify({ terminalId, stan: '000123', atMs: 0, type: '0100', fields: {}, parameters: {} })

describe('an approved request', () => {
  const firstCapture = capture({ original: { ...original, captureSequence: 1 } })
  test.each([
    ['PA', '0100', request(), '632409000001', undefined],
    ['DB', '0200', request({ operation: 'DB' }), '632409000001', undefined],
    ['CD', '0200', request({ operation: 'CD' }), '632409000001', undefined],
    ['CP', '0220', firstCapture, '632409000123', original.references[1]],
    ['CP', '0220', capture(), '632409000001', original.references[1]],
    ['RV', '0400', followUp('RV'), '632409000123', original.references[1]],
    ['RF', '0200', followUp('RF'), '632409000001', undefined],
    ['DB', '0220', offlineSale(), '632409000001', undefined],
  ] as const)('%s is sent as %s', async (_, type, sent, reference, originalData) => {
    const { pay, received } = connectHost()
    const { reply } = await pay(sent)
    expect(received.map((message) => message.type)).toEqual([type])
    expect(received[0]?.fields).toMatchObject({ 2: '4200000000000091', 11: '000001', 37: reference })
    expect(received[0]?.fields[90]).toBe(originalData)
    expect(reply).toMatchObject({
      status: 'approved',
      code: '000.100.112',
      amountMinor: 9200,
      details: { ConnectorTxID1: reference, ConnectorTxID3: 'A1B2C3', AcquirerResponse: '00' },
    })
  })

  // "unique per (DE32, DE41|DE42) and day": field 90 identifies a message only together with its terminal id.
  const otherTerminal = { ...original, sentAs: sentAsBy('TERM0007') }
  test.each([
    ['a capture', capture({ original: otherTerminal }), 'TERM0007'],
    ['a reversal', followUp('RV', { original: otherTerminal }), 'TERM0007'],
    ['an increase', request({ original: otherTerminal }), 'TERM0007'],
    [
      'a refund that names its payment by field 90',
      followUp('RF', { original: { ...otherTerminal, networkTransactionId: undefined } }),
      'TERM0007',
    ],
    ['a refund that names its payment by field 62', followUp('RF', { original: otherTerminal }), 'TERM0001'],
    ['a payment', request(), 'TERM0001'],
  ] as const)('has the terminal id of the message that it names: %s', async (_, sent, terminalId) => {
    const { pay, received } = connectHost()
    const { sentAs } = await pay(sent)
    expect([received[0]?.fields[41], JSON.parse(sentAs).terminalId]).toEqual([terminalId, terminalId])
  })

  test('repeats fields of its original in a capture', async () => {
    const { pay, received } = connectHost()
    const { sentAs } = await pay(request({}, { 'pos.entryMode': 'ICC', 'merchant.mcc': '5812' }))
    await pay(capture({ original: { ...original, sentAs } }))
    expect(received[1]?.fields).toMatchObject({ 18: '5812', 22: '050', 25: '00' })
  })

  test('has references that are drawn before it is sent, and that its follow-ups find in its answer', async () => {
    const { pay, events } = connectHost()
    const { sentAs, reply } = await pay(request())
    expect(events).toEqual(['trace 1', '0100'])
    expect(JSON.parse(sentAs)).toMatchObject({ terminalId: 'TERM0001', stan: '000001', type: '0100' })
    expect(sentAs).not.toContain('4200000000000091')
    expect(reply).toMatchObject({ details: { ConnectorTxID2: '010000000111200931000000040012300000000000' } })
  })
})

describe('a request without an approval', () => {
  const answering = (code: string) => ({ answer: (message: IsoMessage) => answerOf(message, { 39: code }) })
  const part = { answer: (message: IsoMessage) => answerOf(message, { 4: '000000005000', 39: '10' }) }
  const otherTerminal = { answer: (message: IsoMessage) => answerOf(message, { 41: 'TERM0002' }) }
  test.each([
    ['is declined', answering('51'), { status: 'declined', code: '800.100.155' }, []],
    ['is to be reversed', part, { status: 'toReverse', answer: { status: 'declined', code: '800.100.155' } }, []],
    ['has an unknown outcome after another answer', otherTerminal, { status: 'unknown' }, [41]],
    ['has an unknown outcome if the host still processes it', answering('09'), { status: 'unknown' }, []],
    ['has an unknown outcome if the issuer answered too late', answering('68'), { status: 'unknown' }, []],
    ['has an unknown outcome without an answer', { answer: unknown }, { status: 'unknown' }, []],
    [
      'was not sent',
      { answer: (): HostOutcome => ({ kind: 'notSent', reason: 'the link is down' }) },
      { status: 'notSent', reason: 'the link is down' },
      [],
    ],
  ] as const)('%s', async (_, options, reply, mismatches) => {
    const host = connectHost(options)
    expect((await host.pay(request())).reply).toMatchObject(reply)
    expect(host.mismatches).toEqual(mismatches)
  })

  test('is not sent if no trace number is free', async () => {
    const { pay, messages } = connectHost({ hasNumbers: false })
    expect(await pay(request())).toEqual({
      sentAs: '',
      reply: { status: 'notSent', reason: 'no trace number is free' },
    })
    expect(messages).toEqual([])
  })

  test.each([
    ['its chip data are no digits', request({ secrets: secrets(['pos.iccDataRequest', 'no digits']) }), 55],
    ['its private data are too long', request({}, { 'threeDSecure.eci': '5'.repeat(999) }), 48],
    ['its number has letters', request({ account: card({ number: secretOf('42000000000000AB') }) }), 2],
    ['its amount is too long', request({ amountMinor: 10 ** 12 }), 4],
  ])('is declined and not sent if %s, and its references can be drawn', async (_, invalid, field) => {
    const { pay, received, messages } = connectHost()
    const { sentAs, reply } = await pay(invalid)
    expect(reply).toMatchObject({
      status: 'declined',
      code: field === 4 ? '100.550.301' : '200.300.404',
      details: { ExtendedDescription: expect.stringMatching(`^Not sent: field ${field}: must `) },
    })
    expect(JSON.parse(sentAs)).toMatchObject({ stan: '000001', type: '0100', fields: { 3: '000000' } })
    expect(received).toEqual([])
    expect(messages.flatMap(nonZero)).toEqual([])
  })

  test('rejects after a failure of the host that is no invalid message', async () => {
    const { pay, messages } = connectHost({
      answer: () => {
        throw new TypeError('a defect')
      },
    })
    await expect(pay(request())).rejects.toThrow('a defect')
    expect(messages.flatMap(nonZero)).toEqual([])
  })
})

describe('a capture that the clearing file presents', () => {
  const byFile = { profile: { presentation: 'file' } } as const
  const approval = {
    status: 'approved',
    code: '000.100.112',
    amountMinor: 9200,
    details: { ConnectorTxID2: original.references[1], ConnectorTxID3: 'A1B2C3' },
  }

  test.each([
    ['with a trace number', {}],
    ['without a free trace number', { hasNumbers: false }],
  ])('is approved %s, and no message is sent', async (_, options) => {
    const { pay, messages } = connectHost({ ...byFile, ...options })
    expect((await pay(capture())).reply).toMatchObject(approval)
    expect(messages).toEqual([])
  })

  test('is not sent after a crash either, because the file presents it already', async () => {
    const { connector, attempt, messages } = connectHost(byFile)
    const open = openOf(capture())
    const sentAs = (await connector.references?.(capture())) ?? ''
    const reversal = await attempt(open, sentAs)
    expect(await connector.reverse(open, reversal, card())).toMatchObject({ kind: 'done', answer: approval })
    expect(messages).toEqual([])
  })

  test('has references of its own in the file, which its answer has, too', async () => {
    const { pay, connector } = connectHost(byFile)
    const numbered = { ...original, captureSequence: 2 }
    const { sentAs, reply } = await pay(followUp('CP', { original: numbered }))
    const captured = connector.clearing?.fileCapture?.(sentAs)
    expect(captured).toEqual({
      reference: expect.stringMatching(/^\d{12}$/),
      terminalId: JSON.parse(sentAs).terminalId,
      captureSequence: 2,
      captureCount: 3,
    })
    expect(reply).toMatchObject({ details: { ConnectorTxID1: captured?.reference } })
  })

  test('is reversed without a message, also after a crash', async () => {
    const { pay, connector, attempt, messages } = connectHost(byFile)
    const { sentAs } = await pay(followUp('CP', { original: { ...original, captureSequence: 1 } }))
    const reversal = followUp('RV', { original: { ...original, sentAs } })
    expect((await pay(reversal)).reply).toMatchObject({ status: 'approved', amountMinor: 9200 })
    const open = { ...openOf(reversal), original: reversal.original }
    const sentReversal = await attempt(open, (await connector.references?.(reversal)) ?? '')
    expect(await connector.reverse(open, sentReversal, card())).toMatchObject({ kind: 'done' })
    expect(messages).toEqual([])
  })

  test('does not change other operations', async () => {
    const { pay, received, connector } = connectHost(byFile)
    await pay(followUp('RV'))
    expect(received.map(({ type }) => type)).toEqual(['0400'])
    expect(connectHost().connector.clearing?.fileCapture).toBeUndefined()
    expect(connector.clearing?.fileCapture).toBeDefined()
  })
})

describe('the secrets of every message are erased after the exchange', () => {
  const withSecrets = (operation: AcquirerOperation): AcquirerRequest =>
    request({
      operation,
      original: operation === 'CP' || operation === 'RV' || operation === 'RF' ? original : undefined,
      account: card({ cvv: secretOf('123') }),
      secrets: secrets(['pos.iccDataRequest', '9F2602AABB'], ['sender.accountNumber', 'DE89370400440532013000']),
    })
  const answered = (message: IsoMessage): HostOutcome =>
    answerOf(message, { 2: Uint8Array.from(Buffer.from('4200000000000091')), 55: Uint8Array.from([0x8a, 0]) })
  const outcomes = [
    ['an answer', answered],
    ['another answer', (message: IsoMessage) => answerOf(message, { 2: Uint8Array.of(0x34), 41: 'TERM0002' })],
    ['no answer', unknown],
    ['no connection', (): HostOutcome => ({ kind: 'notSent', reason: 'the link is down' })],
  ] as const

  describe.each(outcomes)('with %s', (_, answer) => {
    test.each(['PA', 'DB', 'CD', 'CP', 'RV', 'RF'] as const)('of a %s and its reversal', async (operation) => {
      const { connector, pay, attempt, messages, received, answers } = connectHost({ answer })
      const sent = withSecrets(operation)
      const { sentAs } = await pay(sent)
      await connector.reverse(openOf(sent), await attempt(openOf(sent), sentAs), sent.account)
      expect(received).toHaveLength(2)
      expect(received.every(({ fields }) => fields[2] === '4200000000000091')).toBe(true)
      expect([...messages, ...answers].flatMap(nonZero)).toEqual([])
      // The secrets of the request belong to the caller, who needs them for the reversal.
      expect(isErased(sent.account?.number)).toBe(false)
    })
  })
})

const isErased = (secret: Secret | undefined): boolean | undefined =>
  secret?.use((bytes) => bytes.every((byte) => byte === 0))

test('damaged references are refused before a message is sent', async () => {
  const { connector, messages } = connectHost()
  await expect(connector.send(request(), '{}')).rejects.toThrow('references')
  await expect(
    connector.reverse(openOf(request()), { sentAs: '{}', reversalSentAs: '{}', isRepeat: false }),
  ).rejects.toThrow('references')
  expect(messages).toEqual([])
})

test('the connector closes its links to the host, and needs the account of follow-ups', async () => {
  const { connector, isClosed } = connectHost()
  expect([connector.kind, connector.name, connector.needsAccountLater]).toEqual(['remote', 'external', true])
  await connector.close?.()
  expect(isClosed()).toBe(true)
})
