import type { Secret } from '@tollgate/contract'
import { decodePrivateData, encodeMessage, type LinkOutcome, specs } from '@tollgate/iso8583'
import { describe, expect, it, test } from 'vitest'
import type { AcquirerOperation, AcquirerRequest, OpenRequest, ReversalAttempt } from '../port.ts'
import type { IsoFields, IsoMessage } from './answer.ts'
import { createIso8583Connector } from './connector.ts'
import type { AcquirerProfile } from './profile.ts'
import { asciiText, card, networkId, profile, request, secretOf, secrets } from './requests/testing/requests.ts'
import type { Trace } from './trace.ts'

type Outcome = LinkOutcome<IsoFields>
type Texts = Readonly<Record<string, string>>

/** A message as the host received it: its values as texts, its private data by tag. */
interface Received {
  readonly type: string
  readonly fields: Texts
  readonly elements: Texts
}

const textOf = (value: string | Uint8Array): string => (value instanceof Uint8Array ? asciiText(value) : value)

function receive({ type, fields }: IsoMessage): Received {
  const texts = Object.entries(fields).flatMap(([number, value]) =>
    value === undefined ? [] : [[number, textOf(value)]],
  )
  const elements = Array.from(decodePrivateData(fields[48] ?? new Uint8Array()), ([tag, value]) => [
    tag,
    asciiText(value),
  ])
  return { type, fields: Object.fromEntries(texts), elements: Object.fromEntries(elements) }
}

/** An answer that repeats the fields of a message. */
function answerOf({ fields }: IsoMessage, changes: IsoMessage['fields'] = {}): Outcome {
  const { 3: processing, 4: amount, 37: reference, 41: terminal, 42: merchant, 49: currency } = fields
  const repeated = { 3: processing, 4: amount, 37: reference, 41: terminal, 42: merchant, 49: currency }
  return { kind: 'answer', message: { type: '0000', fields: { ...repeated, 38: 'A1B2C3', 39: '00', ...changes } } }
}

interface HostOptions {
  /** The outcome of each message; by default the host approves all of them. */
  readonly answer?: (message: IsoMessage) => Outcome
  readonly profile?: Partial<AcquirerProfile>
  readonly hasNumbers?: boolean
}

/** A connector and a host that records the messages, with trace numbers from 1, one a minute. */
function connectHost({ answer = answerOf, profile: changes = {}, hasNumbers = true }: HostOptions = {}) {
  const used = { ...profile, ...changes }
  const messages: IsoMessage[] = []
  const received: Received[] = []
  const answers: IsoMessage[] = []
  const mismatches: number[] = []
  const events: string[] = []
  let drawn = 0
  let isClosed = false

  async function nextTrace(): Promise<Trace | undefined> {
    if (!hasNumbers) return undefined
    drawn += 1
    events.push(`trace ${drawn}`)
    return { terminalId: 'TERM0001', stan: `00000${drawn}`, atMs: Date.parse('2026-11-20T09:30:00Z') + drawn * 60_000 }
  }

  const connector = createIso8583Connector({
    name: 'external',
    profile: used,
    host: {
      async send(message) {
        messages.push(message)
        // As a link does, the host throws a FieldError before it sends a byte.
        encodeMessage(specs[used.spec], message).fill(0)
        received.push(receive(message))
        events.push(message.type)
        const outcome = answer(message)
        if (outcome.kind === 'answer') answers.push(outcome.message)
        return outcome
      },
      close: async () => void (isClosed = true),
    },
    nextTrace,
    onMismatch: (field) => void mismatches.push(field),
  })

  /** Draws references for a request, and sends it with them. */
  async function pay(sent: AcquirerRequest) {
    const sentAs = await connector.references?.(sent)
    return { sentAs: sentAs ?? '', reply: await connector.send(sent, sentAs) }
  }

  async function attempt(open: OpenRequest, sentAs: string): Promise<ReversalAttempt> {
    return { sentAs, reversalSentAs: (await connector.references?.(open)) ?? '', isRepeat: false }
  }

  return { connector, messages, received, answers, mismatches, events, pay, attempt, isClosed: () => isClosed }
}

const unknown = (): Outcome => ({ kind: 'unknown' })

/** The part of a request that is stored. */
function openOf(sent: AcquirerRequest): OpenRequest {
  const { transactionId, operation, amountMinor, currency, brand, testMode, original, atMs } = sent
  return { transactionId, operation, amountMinor, currency, brand, testMode, original, atMs }
}

/** The preauthorisation of 92.00 that follow-ups refer to. */
const original = {
  transactionId: '8ac7a4a0000000000000000000000002',
  references: ['632409000123', '010000012311200930150000040012300000000000', 'A1B2C3'],
  networkTransactionId: networkId,
  amountMinor: 9200,
}

const followUp = (operation: AcquirerOperation, changes: Partial<AcquirerRequest> = {}, parameters: Texts = {}) =>
  request({ operation, original, ...changes }, parameters)

const capture = (changes: Partial<AcquirerRequest> = {}, parameters: Texts = {}) =>
  followUp('CP', { original: { ...original, captureSequence: 2 }, ...changes }, parameters)

describe('an approved request', () => {
  test.each([
    ['PA', '0100', request(), '632409000001', undefined],
    ['DB', '0200', request({ operation: 'DB' }), '632409000001', undefined],
    ['CD', '0200', request({ operation: 'CD' }), '632409000001', undefined],
    ['CP', '0220', capture(), '632409000123', original.references[1]],
    ['RV', '0400', followUp('RV'), '632409000123', original.references[1]],
    ['RF', '0200', followUp('RF'), '632409000001', undefined],
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
  const declined = { answer: (message: IsoMessage) => answerOf(message, { 39: '51' }) }
  const part = { answer: (message: IsoMessage) => answerOf(message, { 4: '000000005000', 39: '10' }) }
  const otherTerminal = { answer: (message: IsoMessage) => answerOf(message, { 41: 'TERM0002' }) }
  test.each([
    ['is declined', declined, { status: 'declined', code: '800.100.155' }, []],
    ['is to be reversed', part, { status: 'toReverse', answer: { status: 'declined', code: '800.100.155' } }, []],
    ['has an unknown outcome after another answer', otherTerminal, { status: 'unknown' }, [41]],
    ['has an unknown outcome without an answer', { answer: unknown }, { status: 'unknown' }, []],
    [
      'was not sent',
      { answer: (): Outcome => ({ kind: 'notSent', reason: 'the link is down' }) },
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
  ])('is not sent if %s, and its references can be drawn', async (_, invalid, field) => {
    const { pay, received, messages } = connectHost()
    const { sentAs, reply } = await pay(invalid)
    expect(reply).toMatchObject({
      status: 'notSent',
      reason: expect.stringMatching(`^the message is invalid: field ${field}`),
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

describe('the reversal of a request', () => {
  test.each([
    ['PA', request(), '0100'],
    ['DB', request({ operation: 'DB' }), '0200'],
    ['CD', request({ operation: 'CD' }), '0200'],
    ['RF', followUp('RF', { amountMinor: 1000 }), '0200'],
  ] as const)(
    'of a %s is an advice, whose repeats have its time, trace number and reference',
    async (_, sent, type) => {
      const { connector, pay, attempt, received } = connectHost({ answer: unknown })
      const { sentAs } = await pay(sent)
      const open = openOf(sent)
      const reversal = await attempt(open, sentAs)
      for (const isRepeat of [false, true, true])
        expect(await connector.reverse(open, { ...reversal, isRepeat }, card())).toEqual({ kind: 'unknown' })
      const [first, advice, ...repeats] = received
      expect([first?.type, advice?.type, ...repeats.map((repeat) => repeat.type)]).toEqual([
        type,
        '0420',
        '0421',
        '0421',
      ])
      expect(advice?.fields).toMatchObject({
        2: '4200000000000091',
        3: first?.fields[3],
        4: first?.fields[4],
        7: '1120093200',
        11: '000002',
        37: first?.fields[37],
        39: '68',
        41: 'TERM0001',
        90: `${type}000001112009310000000400123${'0'.repeat(11)}`,
      })
      for (const repeat of repeats) expect(repeat.fields).toEqual(advice?.fields)
    },
  )

  it('repeats the fields of the request that depend on its parameters, which are not stored', async () => {
    const { connector, pay, attempt, received } = connectHost({ answer: unknown })
    const sent = request({ descriptor: 'OTHER SHOP' }, { 'merchant.mcc': '5812', 'pos.entryMode': 'ICC' })
    const { sentAs } = await pay(sent)
    await connector.reverse(openOf(sent), await attempt(openOf(sent), sentAs), card())
    const [first, advice] = received.map(({ fields }) => [fields[3], fields[18], fields[22], fields[25], fields[43]])
    expect(first?.slice(1, 3)).toEqual(['5812', '050'])
    expect(advice).toEqual(first)
  })

  test.each([
    ['00', 'reversed'],
    ['25', 'reversed'],
    ['76', 'reversed'],
    ['21', 'reversed'],
    ['94', 'reversed'],
    ['91', 'unknown'],
    ['96', 'unknown'],
    ['30', 'unknown'],
    [undefined, 'unknown'],
  ] as const)('with the answer %s is %s', async (response, kind) => {
    const { connector, pay, attempt } = connectHost({
      answer: (message) => (message.type === '0100' ? unknown() : answerOf(message, { 39: response })),
    })
    const { sentAs } = await pay(request())
    expect(await connector.reverse(openOf(request()), await attempt(openOf(request()), sentAs), card())).toEqual({
      kind,
    })
  })

  test.each([
    ['without an answer', unknown],
    ['that is not sent', (): Outcome => ({ kind: 'notSent', reason: 'the link is down' })],
  ])('%s has an unknown outcome', async (_, answer) => {
    const { connector, pay, attempt } = connectHost({ answer })
    const { sentAs } = await pay(request())
    const reversal = await attempt(openOf(request()), sentAs)
    expect(await connector.reverse(openOf(request()), reversal, card())).toEqual({ kind: 'unknown' })
  })

  test('with the answer to another reversal has an unknown outcome', async () => {
    const { connector, pay, attempt, mismatches } = connectHost({
      answer: (message) => (message.type === '0100' ? unknown() : answerOf(message, { 37: '632409000009' })),
    })
    const { sentAs } = await pay(request())
    const reversal = await attempt(openOf(request()), sentAs)
    expect(await connector.reverse(openOf(request()), reversal, card())).toEqual({ kind: 'unknown' })
    expect(mismatches).toEqual([37])
  })

  test.each([
    ['a verification, which has no attempt,', 0, 'reversed'],
    ['a payment without references', 9200, 'unknown'],
  ])('of %s sends no message', async (_, amountMinor, kind) => {
    const { connector, messages } = connectHost()
    expect(await connector.reverse(openOf(request({ amountMinor })))).toEqual({ kind })
    expect(messages).toEqual([])
  })

  test('of a payment whose number was erased has no number', async () => {
    const { connector, pay, attempt, received } = connectHost()
    const { sentAs } = await pay(request())
    const reversal = await attempt(openOf(request()), sentAs)
    expect(await connector.reverse(openOf(request()), reversal)).toEqual({ kind: 'reversed' })
    expect(received[1]?.fields[2]).toBeUndefined()
  })
})

describe('a capture or reversal without an answer is sent again', () => {
  const partialReversal = followUp('RV', { amountMinor: 3200 })
  test.each([
    ['a capture', capture({ amountMinor: 1000 }, { numberOfCaptures: '3' }), '0220', '0221', 'N', '0203'],
    [
      'the last of three captures',
      capture({ original: { ...original, captureSequence: 3 } }, { numberOfCaptures: '3' }),
      '0220',
      '0221',
      'F',
      '0303',
    ],
    ['a final capture', capture({}, { sequence: 'FINAL', numberOfCaptures: '9' }), '0220', '0221', 'F', '0202'],
    ['a partial reversal', partialReversal, '0400', '0401', undefined, undefined],
    ['a final reversal', followUp('RV', {}, { sequence: 'FINAL' }), '0400', '0401', 'F', undefined],
  ] as const)('%s', async (_, sent, type, repeatType, indicator, numbers) => {
    let isDown = true
    const { connector, pay, attempt, received } = connectHost({
      answer: (message) => (isDown ? unknown() : answerOf(message)),
    })
    const { sentAs, reply } = await pay(sent)
    expect(reply).toEqual({ status: 'unknown' })
    const open = openOf(sent)
    // The number of the capture is not stored with the payment, only with the references.
    const stored = { ...open, original: open.original && { ...open.original, captureSequence: undefined } }
    const reversal = await attempt(open, sentAs)
    expect(await connector.reverse(stored, reversal, card())).toEqual({ kind: 'unknown' })
    isDown = false
    expect(await connector.reverse(stored, { ...reversal, isRepeat: true }, card())).toMatchObject({
      kind: 'done',
      answer: { status: 'approved', code: '000.100.112', amountMinor: sent.amountMinor },
    })
    const [first, ...repeats] = received
    expect([first?.type, ...repeats.map((repeat) => repeat.type)]).toEqual([type, repeatType, repeatType])
    expect([first?.elements['14'], first?.elements['13']]).toEqual([indicator, numbers])
    for (const repeat of repeats) expect([repeat.fields, repeat.elements]).toEqual([first?.fields, first?.elements])
  })

  test.each([
    ['a decline is the outcome', { 39: '05' }, { kind: 'done', answer: { status: 'declined', code: '800.100.152' } }],
    ['the answer to another message has no outcome', { 41: 'TERM0002' }, { kind: 'unknown' }],
  ] as const)('%s', async (_, answer, outcome) => {
    const { connector, pay, attempt } = connectHost({ answer: (message) => answerOf(message, answer) })
    const { sentAs } = await pay(capture())
    const open = openOf(capture())
    expect(await connector.reverse(open, await attempt(open, sentAs), card())).toMatchObject(outcome)
  })
})

describe('a capture that the clearing file presents', () => {
  const byFile = { profile: { presentation: 'file' } } as const
  const approval = {
    status: 'approved',
    code: '000.100.112',
    amountMinor: 9200,
    details: { ConnectorTxID1: '632409000123', ConnectorTxID2: original.references[1], ConnectorTxID3: 'A1B2C3' },
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

  test('does not change other operations', async () => {
    const { pay, received } = connectHost(byFile)
    await pay(followUp('RV'))
    expect(received.map(({ type }) => type)).toEqual(['0400'])
  })
})

/** The fields of a message whose secrets are not erased. */
function nonZero({ type, fields }: IsoMessage): readonly string[] {
  return Object.entries(fields)
    .filter(([, value]) => value instanceof Uint8Array && value.some((byte) => byte !== 0))
    .map(([number]) => `${type} field ${number}`)
}

describe('the secrets of every message are erased after the exchange', () => {
  const withSecrets = (operation: AcquirerOperation): AcquirerRequest =>
    request({
      operation,
      original: operation === 'CP' || operation === 'RV' || operation === 'RF' ? original : undefined,
      account: card({ cvv: secretOf('123') }),
      secrets: secrets(['pos.iccDataRequest', '9F2602AABB'], ['sender.accountNumber', 'DE89370400440532013000']),
    })
  const answered = (message: IsoMessage): Outcome =>
    answerOf(message, { 2: Uint8Array.from(Buffer.from('4200000000000091')), 55: Uint8Array.from([0x8a, 0]) })
  const outcomes = [
    ['an answer', answered],
    ['another answer', (message: IsoMessage) => answerOf(message, { 2: Uint8Array.of(0x34), 41: 'TERM0002' })],
    ['no answer', unknown],
    ['no connection', (): Outcome => ({ kind: 'notSent', reason: 'the link is down' })],
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
