import { describe, expect, it, test } from 'vitest'
import { card, request, secrets } from './requests/testing/requests.ts'
import {
  answerOf,
  capture,
  connectHost,
  followUp,
  offlineSale,
  openOf,
  original,
  type HostOutcome,
  unknown,
} from './testing/recording-host.ts'

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

  it('has the terminal id of the request, also if another process has sent it', async () => {
    const { connector, pay, received } = connectHost({ answer: unknown })
    const { sentAs } = await pay(request())
    const bySentAs = JSON.stringify({ ...JSON.parse(sentAs), terminalId: 'TERM0007' })
    const reversal = { sentAs: bySentAs, reason: 'noAnswer' } as const
    const reversalSentAs = (await connector.references?.(openOf(request()), reversal)) ?? ''
    expect(JSON.parse(reversalSentAs)).toMatchObject({ terminalId: 'TERM0007', stan: '000002' })
    await connector.reverse(openOf(request()), { sentAs: bySentAs, reversalSentAs, isRepeat: false }, card())
    expect(received[1]).toMatchObject({ type: '0420', fields: { 11: '000002', 41: 'TERM0007' } })
  })

  it('repeats the fields of the request that depend on its parameters, which are not stored', async () => {
    const { connector, pay, attempt, received } = connectHost({ answer: unknown })
    const sent = request({ descriptor: 'OTHER SHOP' }, { 'merchant.mcc': '5812', 'pos.entryMode': 'ICC' })
    const { sentAs } = await pay(sent)
    await connector.reverse(openOf(sent), await attempt(openOf(sent), sentAs), card())
    const [first, advice] = received.map(({ fields }) => [fields[3], fields[18], fields[22], fields[25], fields[43]])
    expect(first?.slice(1, 3)).toEqual(['5812', '050'])
    expect(advice).toEqual(first)
  })

  it('repeats that the account is stored', async () => {
    const { connector, pay, attempt, received } = connectHost({ answer: unknown })
    const sent = request({ hasStoredAccount: true })
    const { sentAs } = await pay(sent)
    await connector.reverse(openOf(sent), await attempt(openOf(sent), sentAs), card())
    expect(received.map(({ fields }) => fields[22])).toEqual(['100', '100'])
  })

  test.each([
    ['00', { kind: 'reversed', response: '00' }],
    ['25', { kind: 'reversed', response: '25' }],
    ['76', { kind: 'reversed', response: '76' }],
    ['21', { kind: 'reversed', response: '21' }],
    ['94', { kind: 'reversed', response: '94' }],
    ['91', { kind: 'unknown' }],
    ['96', { kind: 'unknown' }],
    ['30', { kind: 'rejected', reason: 'the acquirer answered 30 (Format error)' }],
    [undefined, { kind: 'unknown' }],
  ] as const)('with the answer %s is %o', async (response, outcome) => {
    const { connector, pay, attempt } = connectHost({
      answer: (message) => (message.type === '0100' ? unknown() : answerOf(message, { 39: response })),
    })
    const { sentAs } = await pay(request())
    expect(await connector.reverse(openOf(request()), await attempt(openOf(request()), sentAs), card())).toEqual(
      outcome,
    )
  })

  test.each([
    ['noAnswer', '68'],
    ['partialApproval', '32'],
  ] as const)('because of %s has the reason %s, and so have its repeats', async (reason, code) => {
    const { connector, pay, attempt, received } = connectHost({ answer: unknown })
    const { sentAs } = await pay(request())
    const reversal = await attempt(openOf(request()), sentAs, reason)
    for (const isRepeat of [false, true]) await connector.reverse(openOf(request()), { ...reversal, isRepeat }, card())
    expect(received.slice(1).map(({ type, fields }) => [type, fields[39]])).toEqual([
      ['0420', code],
      ['0421', code],
    ])
  })

  test('is sent once a link is ready', async () => {
    const { connector, pay, attempt, events } = connectHost()
    const { sentAs } = await pay(request())
    await connector.reverse(openOf(request()), await attempt(openOf(request()), sentAs), card())
    expect(events.slice(-2)).toEqual(['untilReady', '0420'])
  })

  test.each([
    ['a payment', request()],
    ['a capture', capture()],
  ])('of %s is not sent if the gateway stops waiting before a link is ready', async (_, sent) => {
    const stopped = new AbortController()
    const { connector, pay, attempt, received } = connectHost({
      answer: unknown,
      isReady: (signal) => signal !== stopped.signal,
    })
    const { sentAs } = await pay(sent)
    const reversal = await attempt(openOf(sent), sentAs)
    expect(await connector.reverse(openOf(sent), reversal, card(), stopped.signal)).toEqual({ kind: 'unknown' })
    expect(received).toHaveLength(1)
  })

  test.each([
    ['without an answer', unknown],
    ['that is not sent', (): HostOutcome => ({ kind: 'notSent', reason: 'the link is down' })],
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
    const repeat = { ...reversal, isRepeat: true }
    expect(await connector.reverse(openOf(request()), repeat, card())).toEqual({ kind: 'unknown' })
    expect(mismatches).toEqual([37, 37])
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
    expect(await connector.reverse(openOf(request()), reversal)).toEqual({ kind: 'reversed', response: '00' })
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

  it('also the advice of an offline sale, with its approval but without the data of the chip', async () => {
    const { connector, pay, attempt, received } = connectHost({ answer: unknown })
    const sent = offlineSale({ secrets: secrets(['pos.iccDataRequest', '9F270140']) })
    const { sentAs } = await pay(sent)
    expect(sentAs).not.toContain('9F27')
    await connector.reverse(openOf(sent), await attempt(openOf(sent), sentAs), card())
    const [first, repeat] = received
    expect([first?.type, repeat?.type]).toEqual(['0220', '0221'])
    const { 55: chipData, ...others } = first?.fields ?? {}
    expect([chipData?.length, repeat?.fields]).toEqual([4, others])
    expect(others).toMatchObject({ 12: '235959', 13: '1119', 38: 'Y3', 39: 'Y3' })
  })

  test('a repeat has the references of the first message, and draws none', async () => {
    const { pay, attempt, events } = connectHost({ answer: unknown })
    const { sentAs } = await pay(capture())
    expect((await attempt(openOf(capture()), sentAs)).reversalSentAs).toBe(sentAs)
    expect(events).toEqual(['trace 1', '0220'])
  })

  // Columns: the message, the response to its first transmission and to its repeat, and both outcomes.
  const rejected = (response: string) => ({ reason: expect.stringContaining(`answered ${response} (`) })
  test.each([
    ['CP', '30', '30', { status: 'rejected', ...rejected('30') }, { kind: 'rejected', ...rejected('30') }],
    ['CP', '12', '14', { status: 'rejected', ...rejected('12') }, { kind: 'rejected', ...rejected('14') }],
    ['CP', '10', '10', { status: 'rejected', ...rejected('10') }, { kind: 'rejected', ...rejected('10') }],
    ['CP', '91', '96', { status: 'unknown' }, { kind: 'unknown' }],
    ['CP', '09', '68', { status: 'unknown' }, { kind: 'unknown' }],
    ['RV', '68', '09', { status: 'unknown' }, { kind: 'unknown' }],
    ['CP', '25', '64', { status: 'declined' }, { kind: 'done', answer: { status: 'declined', code: '700.100.200' } }],
    ['CP', '94', '94', { status: 'declined', code: '800.110.100' }, { kind: 'done', answer: { status: 'approved' } }],
    ['RV', '94', '94', { status: 'declined', code: '800.110.100' }, { kind: 'done', answer: { status: 'approved' } }],
    ['RV', '10', '10', { status: 'rejected', ...rejected('10') }, { kind: 'rejected', ...rejected('10') }],
    ['RV', '91', '00', { status: 'declined' }, { kind: 'done', answer: { status: 'approved' } }],
  ] as const)('%s with the answers %s and %s', async (operation, response, repeated, reply, outcome) => {
    const sent = operation === 'CP' ? capture() : followUp(operation)
    const { connector, pay, attempt } = connectHost({
      answer: (message) => {
        const code = message.type.endsWith('1') ? repeated : response
        return answerOf(message, { 39: code, ...(code === '10' && { 4: '000000000100' }) })
      },
    })
    const first = await pay(sent)
    expect(first.reply).toMatchObject(reply)
    const open = openOf(sent)
    expect(await connector.reverse(open, await attempt(open, first.sentAs), card())).toMatchObject(outcome)
  })

  it('is approved with its amount and references if the host has processed it before (94)', async () => {
    const { connector, pay, attempt } = connectHost({ answer: (message) => answerOf(message, { 39: '94' }) })
    const { sentAs } = await pay(capture())
    const open = openOf(capture())
    expect(await connector.reverse(open, await attempt(open, sentAs), card())).toEqual({
      kind: 'done',
      answer: expect.objectContaining({
        status: 'approved',
        code: '000.100.112',
        amountMinor: 9200,
        details: {
          ExtendedDescription: 'Processed when it was sent for the first time.',
          clearingInstituteName: 'Test acquirer',
          ConnectorTxID1: '632409000001',
          ConnectorTxID2: `0220000001112009310000000400123${'0'.repeat(11)}`,
          ConnectorTxID3: 'A1B2C3',
          AcquirerResponse: '94',
        },
      }),
    })
  })

  it.each([
    [3, '200000'],
    [4, '000000000100'],
    [37, '632409000009'],
    [39, undefined],
    [41, 'TERM0002'],
    [42, 'MERCHANT0000002'],
    [49, '840'],
  ])('is kept for an operator if the host also answers its repeat with another field %d', async (field, value) => {
    const { connector, pay, attempt, mismatches } = connectHost({
      answer: (message) => answerOf(message, { [field]: value }),
    })
    const { sentAs, reply } = await pay(capture())
    expect(reply).toEqual({ status: 'unknown' })
    const open = openOf(capture())
    expect(await connector.reverse(open, await attempt(open, sentAs), card())).toEqual({
      kind: 'rejected',
      reason: `the acquirer answered with another value of field ${field}`,
    })
    expect(mismatches).toEqual([field, field])
  })

  it('has a decline as its outcome', async () => {
    const { connector, pay, attempt } = connectHost({ answer: (message) => answerOf(message, { 39: '05' }) })
    const { sentAs } = await pay(capture())
    const open = openOf(capture())
    expect(await connector.reverse(open, await attempt(open, sentAs), card())).toMatchObject({
      kind: 'done',
      answer: { status: 'declined', code: '800.100.152' },
    })
  })
})
