import { type ThreeDSecureCard, threeDSecureCards, threeDSecureFaultCards } from '@tollgate/connectors'
import { Secret } from '@tollgate/contract'
import {
  type Context,
  decodeMessage,
  decodeMethodData,
  encodeMessage,
  encodeMethodData,
  type MessageOf,
  readAuthenticatedAmount,
  readCartesBancaires,
  readMessage,
  simulatorWish,
  writeMessage,
} from '@tollgate/three-d-secure'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { oneTimePasswords, outcomeOf } from './acs/one-time-passwords.ts'
import { verifyCavv } from './cavv.ts'
import type { Simulator, SimulatorResponse } from '../http/exchange.ts'
import { limits } from '../limits.ts'
import { createThreeDSecureSimulator } from './simulator.ts'

const url = 'https://scheme.example'
const serverURL = 'https://pay.example/3ds/results'
const notificationURL = 'https://pay.example/3ds/back'
const challengeCard = '4200000000000018'

let simulator: Simulator
let nowMs = 0
/** Results as they arrived at the 3DS server. */
let results: MessageOf<'RReq'>[] = []
/** How many of them it fails to take. */
let failures = 0
let drawn = 0

beforeEach(() => {
  nowMs = Date.UTC(2026, 0, 1)
  results = []
  failures = 0
  drawn = 0
  simulator = createThreeDSecureSimulator({
    url,
    clock: { now: () => nowMs },
    random: (bytes) => {
      drawn += 1
      return Uint8Array.from({ length: bytes }, (_, at) => (drawn * 31 + at * 7) & 0xff)
    },
    post: async (to, body) => {
      expect(to).toBe(serverURL)
      const read = readMessage('RReq', body)
      if (!('ok' in read)) throw new Error(JSON.stringify(read))
      results.push(read.ok)
      if (failures > 0) {
        failures -= 1
        return undefined
      }
      const { messageVersion, threeDSServerTransID, acsTransID, dsTransID, sdkTransID } = read.ok
      const ids = { messageVersion, threeDSServerTransID, acsTransID, dsTransID, sdkTransID }
      return Buffer.from(writeMessage('RRes', { ...ids, resultsStatus: '01' })).toString()
    },
  })
})

const secret = (digits: string): Secret => new Secret(new Uint8Array(Buffer.from(digits)))
const text = ({ body }: SimulatorResponse): string => Buffer.from(body).toString()
const send = (path: string, body: string | Uint8Array, method = 'POST'): Promise<SimulatorResponse> =>
  simulator.handle({ method, path, query: '', headers: {}, body: Buffer.from(body) })
const sendForm = (path: string, fields: Readonly<Record<string, string>>): Promise<SimulatorResponse> =>
  send(path, new URLSearchParams(fields).toString())

const id = 'd290f1ee-6c54-4b01-90e6-d701748f0851'
const sdkId = 'c0ffee00-6c54-4b01-90e6-d701748f0852'

type AReq = MessageOf<'AReq'>

/** A payment of 12.34 EUR in a browser. */
const areqOf = (number: string, changes: Partial<AReq> = {}): AReq => ({
  messageVersion: '2.2.0',
  deviceChannel: '02',
  messageCategory: '01',
  threeDSServerTransID: id,
  threeDSServerRefNumber: 'TOLLGATE',
  threeDSServerURL: serverURL,
  threeDSRequestorID: 'requestor',
  threeDSRequestorName: 'Shop',
  threeDSRequestorURL: 'https://shop.example',
  threeDSRequestorAuthenticationInd: '01',
  threeDSCompInd: 'U',
  acctNumber: secret(number),
  cardExpiryDate: '3012',
  acquirerBIN: '400000',
  acquirerMerchantID: 'merchant',
  mcc: '5999',
  merchantCountryCode: '276',
  merchantName: 'Tea & <Cake>',
  purchaseAmount: '1234',
  purchaseCurrency: '978',
  purchaseExponent: '2',
  purchaseDate: '20260101120000',
  browserAcceptHeader: 'text/html',
  browserJavaEnabled: false,
  browserJavascriptEnabled: true,
  browserLanguage: 'en-GB',
  browserColorDepth: '24',
  browserScreenHeight: '900',
  browserScreenWidth: '1440',
  browserTZ: '-60',
  browserUserAgent: 'Mozilla/5.0',
  notificationURL,
  ...changes,
})

const appFields: Partial<AReq> = {
  deviceChannel: '01',
  sdkTransID: sdkId,
  sdkAppID: sdkId,
  sdkEphemPubKey: { kty: 'EC' },
  sdkMaxTimeout: '05',
  sdkReferenceNumber: 'SDK',
  deviceRenderOptions: { sdkInterface: '01', sdkUiType: ['01'] },
}

const contextOf = (areq: AReq): Context => ({
  messageVersion: areq.messageVersion,
  deviceChannel: areq.deviceChannel,
  messageCategory: areq.messageCategory === '01' ? '01' : '02',
  threeDSServerTransID: areq.threeDSServerTransID,
})

/** Sends the request, and reads the answer by its table. */
async function ask(areq: AReq) {
  return readMessage('ARes', (await send('/ds', writeMessage('AReq', areq))).body, contextOf(areq))
}

async function authenticate(areq: AReq): Promise<MessageOf<'ARes'>> {
  const read = await ask(areq)
  if (!('ok' in read)) throw new Error(JSON.stringify(read))
  return read.ok
}

const creqOf = ({ acsTransID }: MessageOf<'ARes'>, changes: Partial<MessageOf<'CReq'>> = {}): string =>
  encodeMessage(
    'CReq',
    { messageVersion: '2.2.0', threeDSServerTransID: id, acsTransID, challengeWindowSize: '02', ...changes },
    { deviceChannel: '02' },
  )

/** The fields of a page that goes on by itself. */
function forwarded(reply: SimulatorResponse): {
  readonly to: string
  readonly fields: Readonly<Record<string, string>>
} {
  const html = text(reply)
  const to = /<form id="forward" method="post" action="([^"]*)"/.exec(html)?.[1] ?? ''
  const fields = Array.from(html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g))
  return { to, fields: Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value])) }
}

/** A challenge that is shown. */
async function openChallenge(changes: Partial<AReq> = {}, number = challengeCard): Promise<MessageOf<'ARes'>> {
  const ares = await authenticate(areqOf(number, changes))
  expect(ares).toMatchObject({ transStatus: 'C', acsURL: `${url}/acs/challenge`, authenticationType: '02' })
  const shown = await sendForm('/acs/challenge', { creq: creqOf(ares), threeDSSessionData: 'c2Vzc2lvbg' })
  expect(shown.status).toBe(200)
  return ares
}

function cresOf(reply: SimulatorResponse): MessageOf<'CRes'> {
  const { to, fields } = forwarded(reply)
  expect(to).toBe(notificationURL)
  expect(fields['threeDSSessionData']).toBe('c2Vzc2lvbg')
  const read = decodeMessage('CRes', fields['cres'] ?? '', { deviceChannel: '02', threeDSServerTransID: id })
  if (!('ok' in read)) throw new Error(JSON.stringify(read))
  return read.ok
}

describe('the directory server', () => {
  it('tells which cards take part, once', async () => {
    const preq: MessageOf<'PReq'> = {
      messageVersion: '2.2.0',
      threeDSServerTransID: id,
      threeDSServerRefNumber: 'TOLLGATE',
    }
    const first = readMessage('PRes', (await send('/ds', writeMessage('PReq', preq))).body, {
      threeDSServerTransID: id,
    })
    if (!('ok' in first)) throw new Error(JSON.stringify(first))
    const { serialNum, cardRangeData = [] } = first.ok
    const cards: readonly ThreeDSecureCard[] = [...threeDSecureCards, ...threeDSecureFaultCards]
    for (const { number, flow, methodData } of cards) {
      const range = cardRangeData.find(({ startRange, endRange }) => startRange <= number && number <= endRange)
      expect(range?.threeDSMethodURL, number).toBe(methodData ? `${url}/acs/method` : undefined)
      expect(range === undefined, number).toBe(flow === 'none')
    }
    const old = threeDSecureFaultCards.find(({ fault }) => fault === 'oldVersion')?.number
    expect(cardRangeData.filter(({ acsEndProtocolVersion }) => acsEndProtocolVersion === '2.1.0')).toMatchObject([
      { startRange: old },
    ])

    const again = readMessage('PRes', (await send('/ds', writeMessage('PReq', { ...preq, serialNum }))).body)
    expect('ok' in again && again.ok.serialNum).toBe(serialNum)
    expect('ok' in again && again.ok.cardRangeData).toBeUndefined()
  })

  it.each(threeDSecureCards)(
    'answers for $brand $number as its row says: $flow $transactionStatus $eci',
    async (card) => {
      for (const messageVersion of ['2.1.0', '2.2.0'] as const) {
        const read = await ask(areqOf(card.number, { messageVersion }))
        if (card.flow === 'none') {
          expect(read).toMatchObject({ erro: { errorCode: '305', errorDetail: 'acctNumber', errorComponent: 'D' } })
          continue
        }
        if (!('ok' in read)) throw new Error(JSON.stringify(read))
        const { transStatus, eci, authenticationValue, acsTransID } = read.ok
        expect({ transStatus, eci }).toEqual({ transStatus: card.transactionStatus, eci: card.eci })
        const proven = transStatus === 'Y' || transStatus === 'A'
        expect(authenticationValue?.length).toBe(proven ? 28 : undefined)
        if (proven) {
          const what = { number: secret(card.number), amount: '1234', currency: '978', acsTransID, status: transStatus }
          expect(verifyCavv(what, authenticationValue ?? '')).toBe(true)
          expect(verifyCavv({ ...what, amount: '1235' }, authenticationValue ?? '')).toBe(false)
        }
      }
    },
  )

  it('refuses a card that nobody published, unless the merchant says it takes part', async () => {
    const number = '4111111111111111'
    expect(await ask(areqOf(number))).toMatchObject({ erro: { errorCode: '305', errorDetail: 'acctNumber' } })
    const wish = (flow?: 'challenge' | 'frictionless') => [simulatorWish({ enrolled: true, flow })]
    expect(await authenticate(areqOf(number, { messageExtension: wish() }))).toMatchObject({
      transStatus: 'Y',
      eci: '05',
    })
    expect(await authenticate(areqOf(number, { messageExtension: wish('challenge') }))).toMatchObject({
      transStatus: 'C',
    })
    expect(await authenticate(areqOf('5555555555554444', { messageExtension: wish() }))).toMatchObject({ eci: '02' })
  })

  it.each([
    ['a wish for a challenge', '4200000000000026', { messageExtension: [simulatorWish({ flow: 'challenge' })] }, 'C'],
    ['a wish for none', challengeCard, { messageExtension: [simulatorWish({ flow: 'frictionless' })] }, 'Y'],
    ['a mandated challenge', '4200000000000026', { threeDSRequestorChallengeInd: '04' }, 'C'],
    [
      'a mandated one against the wish',
      '4200000000000026',
      { threeDSRequestorChallengeInd: '04', messageExtension: [simulatorWish({ flow: 'frictionless' })] },
      'C',
    ],
    ['data only', '4200000000000026', { threeDSRequestorChallengeInd: '06' }, 'I'],
    [
      'decoupled authentication',
      challengeCard,
      { threeDSRequestorDecReqInd: 'Y', threeDSRequestorDecMaxTime: '00005' },
      'D',
    ],
    ['no cardholder', '4200000000000026', { deviceChannel: '03', threeRIInd: '06' }, 'Y'],
    ['nobody to challenge', challengeCard, { deviceChannel: '03', threeRIInd: '06' }, 'N'],
    ['no payment', '4200000000000026', { messageCategory: '02', purchaseAmount: undefined }, 'Y'],
    ['no payment, but a challenge', challengeCard, { messageCategory: '02' }, 'C'],
  ] as const)('obeys %s', async (_, number, changes, transStatus) => {
    expect((await authenticate(areqOf(number, changes))).transStatus).toBe(transStatus)
  })

  it('says when decoupled authentication would have been needed', async () => {
    const ares = await authenticate(areqOf(challengeCard, { deviceChannel: '03', threeRIInd: '06' }))
    expect(ares.transStatusReason).toBe('23')
  })

  it('answers Cartes Bancaires with its extension', async () => {
    const ares = await authenticate(areqOf('5555552500001001'))
    expect(readCartesBancaires(ares.messageExtension)).toEqual({ algorithm: '4', exemption: 'AAAA', score: '10' })
  })

  it.each([
    ['no message', 'hello', '101', 'the message is not a JSON object'],
    ['a message for somebody else', '{"messageType":"RReq"}', '101', 'messageType'],
    ['an error message', '{"messageType":"Erro"}', '101', 'messageType'],
    ['a version of tomorrow', '{"messageType":"AReq","messageVersion":"2.3.1"}', '102', 'messageVersion'],
    [
      'a request for nothing',
      '{"messageType":"PReq","messageVersion":"2.2.0"}',
      '201',
      'threeDSServerTransID, threeDSServerRefNumber',
    ],
  ])('answers %s with an error', async (_, body, errorCode, errorDetail) => {
    const read = readMessage('ARes', (await send('/ds', body)).body)
    expect(read).toMatchObject({ erro: { errorCode, errorDetail, errorComponent: 'D' } })
  })

  it('answers every request that its table allows by one that its table allows', async () => {
    const flows = fc.constantFrom('challenge' as const, 'frictionless' as const, undefined)
    const requests = fc.record({
      card: fc.constantFrom(...threeDSecureCards),
      messageVersion: fc.constantFrom('2.1.0' as const, '2.2.0' as const),
      deviceChannel: fc.constantFrom('01' as const, '02' as const, '03' as const),
      messageCategory: fc.constantFrom('01', '02', '85'),
      threeDSRequestorChallengeInd: fc.constantFrom('01', '04', '80', undefined),
      threeDSRequestorDecReqInd: fc.constantFrom('Y' as const, 'N' as const, undefined),
      wish: fc.record({ enrolled: fc.constantFrom(true, undefined), flow: flows }),
      purchaseAmount: fc.constantFrom('0', '1234', '9'.repeat(48)),
      browserLanguage: fc.constantFrom('ar', 'x', '-,-;q=2'),
    })
    await fc.assert(
      fc.asyncProperty(requests, async ({ card, wish, ...asked }) => {
        fc.pre(asked.messageVersion !== '2.1.0' || asked.deviceChannel !== '03' || asked.messageCategory !== '01')
        const areq = areqOf(card.number, {
          ...appFields,
          ...asked,
          messageExtension: [simulatorWish(wish)],
          threeDSRequestorDecMaxTime: '00001',
          threeRIInd: '01',
          recurringExpiry: '20301231',
          recurringFrequency: '30',
        })
        expect('fault' in (await ask(areq))).toBe(false)
        nowMs += limits.challengeMs
        await simulator.advance()
      }),
      { numRuns: 300 },
    )
    expect(new Set(results.map(({ transStatus }) => transStatus))).toEqual(new Set(['Y', 'N']))
  })
})

describe('the fault cards', () => {
  const numberOf = (fault: string): string => threeDSecureFaultCards.find((card) => card.fault === fault)?.number ?? ''

  it.each([
    ['error', { erro: { errorCode: '203', errorDetail: 'purchaseAmount' } }],
    ['timeout', { erro: { errorCode: '402' } }],
    ['malformed', { fault: { errorCode: '101' } }],
    ['noDsTransId', { fault: { errorCode: '201', errorDetail: 'dsTransID' } }],
    ['otherTransaction', { fault: { errorCode: '301', errorDetail: 'threeDSServerTransID' } }],
    ['noProof', { fault: { errorCode: '201', errorDetail: 'authenticationValue' } }],
    ['oldVersion', { erro: { errorCode: '102', errorDetail: 'messageVersion' } }],
  ])('%s', async (fault, expected) => expect(await ask(areqOf(numberOf(fault)))).toMatchObject(expected))

  it('oldVersion speaks the old version', async () => {
    expect(await authenticate(areqOf(numberOf('oldVersion'), { messageVersion: '2.1.0' }))).toMatchObject({ eci: '05' })
  })

  it('silence', async () => {
    const answered = await Promise.race([
      ask(areqOf(numberOf('silence'))),
      new Promise((done) => setImmediate(done, 'no')),
    ])
    expect(answered).toBe('no')
  })

  it('wrongProof', async () => {
    const number = numberOf('wrongProof')
    const { acsTransID, authenticationValue = '', eci } = await authenticate(areqOf(number))
    expect([authenticationValue.length, eci]).toEqual([28, '05'])
    const what = { number: secret(number), amount: '1234', currency: '978', acsTransID, status: 'Y' } as const
    expect(verifyCavv(what, authenticationValue)).toBe(false)
  })

  it('otherAmount: the result says it, and the proof is one of that amount', async () => {
    const number = numberOf('otherAmount')
    const { acsTransID } = await openChallenge({}, number)
    expect(cresOf(await sendForm('/acs/answer', { acsTransID, password: '1234' })).transStatus).toBe('Y')
    const [{ messageExtension, authenticationValue = '' } = {}] = results
    expect(readAuthenticatedAmount(messageExtension)).toEqual({ purchaseAmount: '12341', purchaseCurrency: '978' })
    const what = { number: secret(number), currency: '978', acsTransID, status: 'Y' } as const
    expect(verifyCavv({ ...what, amount: '1234' }, authenticationValue)).toBe(false)
    expect(verifyCavv({ ...what, amount: '12341' }, authenticationValue)).toBe(true)
  })

  it('noResult: the browser says yes, and the ACS nothing', async () => {
    const { acsTransID } = await openChallenge({}, numberOf('noResult'))
    expect(cresOf(await sendForm('/acs/answer', { acsTransID, password: '1234' })).transStatus).toBe('Y')
    expect(results).toEqual([])
  })

  it('are all tried above', () => {
    expect(threeDSecureFaultCards.map(({ fault }) => fault).toSorted()).toEqual([
      'error',
      'malformed',
      'noDsTransId',
      'noProof',
      'noResult',
      'oldVersion',
      'otherAmount',
      'otherTransaction',
      'silence',
      'timeout',
      'wrongProof',
    ])
  })
})

describe('the method page', () => {
  it('goes back with the id', async () => {
    const there = 'https://pay.example/3ds/method'
    const threeDSMethodData = encodeMethodData({ threeDSServerTransID: id, threeDSMethodNotificationURL: there })
    const { to, fields } = forwarded(await sendForm('/acs/method', { threeDSMethodData }))
    expect(to).toBe(there)
    expect(decodeMethodData(fields['threeDSMethodData'] ?? '')).toEqual({ threeDSServerTransID: id })
  })

  it.each(['', 'nonsense', encodeMethodData({ threeDSServerTransID: id })])('refuses %j', async (threeDSMethodData) => {
    const reply = await sendForm('/acs/method', { threeDSMethodData })
    expect([reply.status, text(reply)]).toEqual([400, expect.stringContaining('203: threeDSMethodData')])
  })
})

describe('a challenge', () => {
  it.each([
    ['1234', 'Y', undefined, 'Y'],
    ['1111', 'N', '01', 'N'],
    ['2222', 'R', '11', 'N'],
    ['3333', 'U', '22', 'N'],
    ['7777', 'A', undefined, 'Y'],
    ['8888', 'N', '10', 'N'],
    ['9999', 'N', '08', 'N'],
    ['0026', 'N', '26', 'N'],
    [' 1234 ', 'Y', undefined, 'Y'],
  ])('with password %s ends with %s %s', async (password, transStatus, transStatusReason, inBrowser) => {
    const { acsTransID, dsTransID } = await openChallenge()
    const cres = cresOf(await sendForm('/acs/answer', { acsTransID, password }))
    expect(cres).toEqual({
      messageVersion: '2.2.0',
      threeDSServerTransID: id,
      acsTransID,
      challengeCompletionInd: 'Y',
      transStatus: inBrowser,
    })
    expect(results).toHaveLength(1)
    expect(results[0]).toMatchObject({ acsTransID, dsTransID, transStatus, interactionCounter: '01' })
    expect(results[0]?.transStatusReason).toBe(transStatusReason)
    expect(results[0]?.challengeCancel).toBeUndefined()
    const proven = transStatus === 'Y' || transStatus === 'A'
    expect(results[0]?.eci).toBe({ Y: '05', A: '06' }[transStatus])
    if (!proven) return expect(results[0]?.authenticationValue).toBeUndefined()
    const what = {
      number: secret(challengeCard),
      amount: '1234',
      currency: '978',
      acsTransID,
      status: transStatus === 'A' ? 'A' : 'Y',
    } as const
    expect(verifyCavv(what, results[0]?.authenticationValue ?? '')).toBe(true)
  })

  it('takes every listed password', () => {
    for (const [password, outcome] of oneTimePasswords.filter(([one]) => /^\d+$/.test(one))) {
      const { status = '', reason } = outcomeOf(password) ?? {}
      expect([status, reason].filter(Boolean).join(' ')).toBe(outcome)
    }
    for (const wrong of ['', '0000', '12345', '1235', 'constructor', '00a1']) expect(outcomeOf(wrong)).toBeUndefined()
  })

  it('is cancelled by its button', async () => {
    const { acsTransID } = await openChallenge()
    expect(cresOf(await sendForm('/acs/answer', { acsTransID, cancel: '1', password: '1234' })).transStatus).toBe('N')
    expect(results).toMatchObject([{ transStatus: 'N', transStatusReason: '01', challengeCancel: '01' }])
  })

  it('allows three tries', async () => {
    const { acsTransID } = await openChallenge()
    for (let attempt = 1; attempt < limits.passwordsMax; attempt++) {
      const again = await sendForm('/acs/answer', { acsTransID, password: '4321' })
      expect(text(again)).toContain('aria-invalid="true"')
      expect(results).toEqual([])
    }
    expect(cresOf(await sendForm('/acs/answer', { acsTransID, password: '4321' })).transStatus).toBe('N')
    expect(results).toMatchObject([{ transStatus: 'N', transStatusReason: '19', interactionCounter: '03' }])
  })

  it('is told to the 3DS server once, whoever answers it how often', async () => {
    const { acsTransID } = await openChallenge()
    const replies = await Promise.all(
      ['1234', '1111', '1234'].map((password) => sendForm('/acs/answer', { acsTransID, password })),
    )
    replies.push(await sendForm('/acs/answer', { acsTransID, cancel: '1' }))
    expect(replies.map((reply) => cresOf(reply).transStatus)).toEqual(['Y', 'Y', 'Y', 'Y'])
    expect(results).toMatchObject([{ transStatus: 'Y' }])
  })

  it('tells its result again where it was not taken, and not for ever', async () => {
    failures = 2
    const { acsTransID } = await openChallenge()
    await sendForm('/acs/answer', { acsTransID, password: '1234' })
    expect(results).toHaveLength(3)
    failures = 99
    const other = await openChallenge()
    const reply = await sendForm('/acs/answer', { acsTransID: other.acsTransID, password: '1234' })
    expect(results).toHaveLength(3 + limits.resultAttemptsMax)
    expect(cresOf(reply).transStatus).toBe('Y')
  })

  it('ends when nobody answers it', async () => {
    const { acsTransID } = await openChallenge()
    nowMs += limits.challengeMs - 1
    await simulator.advance()
    expect(results).toEqual([])
    nowMs += 1
    await simulator.advance()
    expect(results).toMatchObject([{ transStatus: 'N', transStatusReason: '14', challengeCancel: '04' }])
    expect(cresOf(await sendForm('/acs/answer', { acsTransID, password: '1234' })).transStatus).toBe('N')
    expect(results).toHaveLength(1)
  })

  it('ends late where nobody looked at the clock, and the password comes too late all the same', async () => {
    const { acsTransID } = await openChallenge()
    nowMs += limits.challengeMs
    expect(cresOf(await sendForm('/acs/answer', { acsTransID, password: '1234' })).transStatus).toBe('N')
    expect(results).toMatchObject([{ challengeCancel: '04' }])
  })

  it('ends when no browser comes', async () => {
    const ares = await authenticate(areqOf(challengeCard))
    nowMs += limits.challengeMs
    await simulator.advance()
    expect(results).toMatchObject([{ transStatus: 'N', challengeCancel: '05' }])
    const late = await sendForm('/acs/challenge', { creq: creqOf(ares) })
    expect([late.status, text(late)]).toEqual([400, expect.stringContaining('301: acsTransID')])
  })

  it('is forgotten in the end', async () => {
    const { acsTransID } = await openChallenge()
    await sendForm('/acs/answer', { acsTransID, password: '1234' })
    nowMs += limits.endedChallengeMs
    await simulator.advance()
    expect((await sendForm('/acs/answer', { acsTransID, password: '1234' })).status).toBe(400)
  })

  it('of an older version, or without a payment, speaks as that', async () => {
    const ares = await authenticate(areqOf(challengeCard, { messageVersion: '2.1.0' }))
    const creq = creqOf(ares, { messageVersion: '2.1.0' })
    expect((await sendForm('/acs/challenge', { creq })).status).toBe(200)
    await sendForm('/acs/answer', { acsTransID: ares.acsTransID, password: '1234' })
    expect(results).toMatchObject([{ messageVersion: '2.1.0', transStatus: 'Y' }])

    const npa = { messageCategory: '02', purchaseAmount: undefined, purchaseCurrency: undefined } as const
    const { acsTransID } = await openChallenge(npa)
    await sendForm('/acs/answer', { acsTransID, password: '3333' })
    expect(results[1]).toMatchObject({ messageCategory: '02', transStatus: 'U' })
    expect(results[1]?.messageExtension).toBeUndefined()
  })

  it.each([
    ['nothing', () => '', '101'],
    ['nonsense', () => '%%%', '101'],
    ['of a transaction that there is not', (ares: MessageOf<'ARes'>) => creqOf({ ...ares, acsTransID: id }), '301'],
    ['of another 3DS server', (ares: MessageOf<'ARes'>) => creqOf(ares, { threeDSServerTransID: sdkId }), '301'],
    ['of another version', (ares: MessageOf<'ARes'>) => creqOf(ares, { messageVersion: '2.1.0' }), '102'],
  ] as const)('request that is %s is refused, and the challenge stays', async (_, make, code) => {
    const ares = await authenticate(areqOf(challengeCard))
    const refused = await sendForm('/acs/challenge', { creq: make(ares) })
    expect([refused.status, text(refused)]).toEqual([400, expect.stringContaining(`3-D Secure ${code}`)])
    expect((await sendForm('/acs/challenge', { creq: creqOf(ares) })).status).toBe(200)
  })

  it('request that comes again is refused, and the page that is open goes on', async () => {
    const ares = await openChallenge()
    const again = await sendForm('/acs/challenge', { creq: creqOf(ares) })
    expect([again.status, text(again)]).toEqual([400, expect.stringContaining('301: acsTransID')])
    const { acsTransID } = ares
    expect(cresOf(await sendForm('/acs/answer', { acsTransID, password: '1234' })).transStatus).toBe('Y')
  })

  it('carries no more session data than there may be', async () => {
    const ares = await authenticate(areqOf(challengeCard))
    const threeDSSessionData = 'x'.repeat(limits.sessionDataCharsMax + 1)
    const refused = await sendForm('/acs/challenge', { creq: creqOf(ares), threeDSSessionData })
    expect([refused.status, text(refused)]).toEqual([400, expect.stringContaining('203: threeDSSessionData')])
  })

  it('cannot be answered before it is shown', async () => {
    const { acsTransID } = await authenticate(areqOf(challengeCard))
    expect((await sendForm('/acs/answer', { acsTransID, password: '1234' })).status).toBe(400)
    expect(results).toEqual([])
  })
})

describe('the page', () => {
  const shown = async (changes: Partial<AReq> = {}): Promise<string> => {
    const ares = await authenticate(areqOf(challengeCard, changes))
    return text(await sendForm('/acs/challenge', { creq: creqOf(ares) }))
  }

  it('shows what is paid, escaped, and of the card the last four digits', async () => {
    const html = await shown()
    expect(html).toContain('<dd>Tea &amp; &lt;Cake&gt;</dd>')
    expect(html).toContain('€12.34')
    expect(html).toContain('•••• 0018')
    expect(html).not.toContain(challengeCard)
    expect(html).toContain('<label for="password">One-time password</label>')
  })

  it.each([
    ['de-DE', 'lang="de" dir="ltr"', 'Zahlung bestätigen', '12,34\u00a0€'],
    ['ar', 'lang="ar" dir="rtl"', 'تأكيد الدفع', ''],
    ['fi', 'lang="en" dir="ltr"', 'Confirm your payment', '€12.34'],
  ])('speaks %s', async (browserLanguage, root, title, amount) => {
    const html = await shown({ browserLanguage })
    for (const part of [root, `<h1>${title}</h1>`, amount]) expect(html).toContain(part)
  })

  it('of yen has no decimals; of a currency that nobody knows, no name', async () => {
    expect(await shown({ purchaseCurrency: '392', purchaseExponent: '0' })).toContain('¥1,234')
    expect(await shown({ purchaseCurrency: '000' })).toContain('<bdi>12.34</bdi>')
  })

  it('runs nothing that stands in it', async () => {
    const ares = await authenticate(areqOf(challengeCard))
    const reply = await sendForm('/acs/challenge', { creq: creqOf(ares) })
    expect(reply.headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' https: http:; base-uri 'none'; " +
        "frame-ancestors *; script-src 'self'",
    )
    for (const html of [
      text(reply),
      text(await sendForm('/acs/answer', { acsTransID: ares.acsTransID, cancel: '1' })),
    ]) {
      expect(html).not.toMatch(/<style|style=|<script(?! src=)|\son\w+=/)
    }
  })

  it('gets its style sheet and its script', async () => {
    for (const path of [/href="[^"]*(\/acs\/assets\/[^"]*)"/, /src="[^"]*(\/acs\/assets\/[^"]*)"/]) {
      const { acsTransID } = await openChallenge()
      const html = text(await sendForm('/acs/answer', { acsTransID, cancel: '1' }))
      const reply = await send(path.exec(html)?.[1] ?? '', '', 'GET')
      expect([reply.status, reply.body.length > 20]).toEqual([200, true])
    }
  })
})

describe('decoupled authentication', () => {
  const asked = { threeDSRequestorDecReqInd: 'Y', threeDSRequestorDecMaxTime: '00005' } as const

  it.each([
    ['in a browser', {}],
    ['in an app', appFields],
    [
      'without the cardholder',
      { deviceChannel: '03', threeRIInd: '01', recurringExpiry: '20301231', recurringFrequency: '30' },
    ],
  ] as const)('%s ends by itself', async (_, changes) => {
    const ares = await authenticate(areqOf(challengeCard, { ...asked, ...changes }))
    expect(ares).toMatchObject({ transStatus: 'D', acsDecConInd: 'Y', authenticationType: '04' })
    nowMs += limits.decoupledMs - 1
    await simulator.advance()
    expect(results).toEqual([])
    nowMs += 1
    await Promise.all([simulator.advance(), simulator.advance()])
    expect(results).toMatchObject([{ transStatus: 'Y', authenticationType: '04', eci: '05' }])
    expect(results[0]?.interactionCounter).toBeUndefined()
  })

  it('has no page', async () => {
    const ares = await authenticate(areqOf(challengeCard, asked))
    expect((await sendForm('/acs/challenge', { creq: creqOf(ares) })).status).toBe(400)
  })
})

describe('an app', () => {
  const app = { deviceChannel: '01' } as const

  async function say(acsTransID: string, changes: Partial<MessageOf<'CReq'>> = {}) {
    const creq = { messageVersion: '2.2.0', threeDSServerTransID: id, acsTransID, sdkTransID: sdkId } as const
    const body = writeMessage('CReq', { ...creq, sdkCounterStoA: '000', ...changes }, app)
    return readMessage('CRes', (await send('/acs/app', body)).body, { ...app, sdkTransID: sdkId })
  }

  it('is told where the ACS is, by an envelope that nobody signed', async () => {
    const ares = await authenticate(areqOf(challengeCard, appFields))
    expect(ares).toMatchObject({ transStatus: 'C', acsRenderingType: { acsInterface: '01', acsUiTemplate: '01' } })
    const [head = '', payload = '', signature] = ares.acsSignedContent?.split('.') ?? []
    expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toEqual({ alg: 'none' })
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ acsURL: `${url}/acs/app` })
    expect(signature).toBe('')
  })

  it('is asked, may be wrong, and ends', async () => {
    const { acsTransID } = await authenticate(areqOf(challengeCard, appFields))
    expect(await say(acsTransID)).toMatchObject({
      ok: { challengeCompletionInd: 'N', acsUiType: '01', challengeInfoTextIndicator: 'N', acsCounterAtoS: '000' },
    })
    expect(await say(acsTransID, { challengeDataEntry: '4321', sdkCounterStoA: '001' })).toMatchObject({
      ok: { challengeCompletionInd: 'N', challengeInfoTextIndicator: 'Y', acsCounterAtoS: '001' },
    })
    expect(await say(acsTransID, { challengeDataEntry: '1234', sdkCounterStoA: '002' })).toMatchObject({
      ok: { challengeCompletionInd: 'Y', transStatus: 'Y' },
    })
    expect(results).toMatchObject([
      { transStatus: 'Y', interactionCounter: '02', sdkTransID: sdkId, acsRenderingType: { acsInterface: '01' } },
    ])
    expect(await say(acsTransID, { challengeDataEntry: '1111' })).toMatchObject({ ok: { transStatus: 'Y' } })
    expect(results).toHaveLength(1)
  })

  it('cancels', async () => {
    const { acsTransID } = await authenticate(areqOf(challengeCard, appFields))
    expect(await say(acsTransID, { challengeCancel: '01' })).toMatchObject({ ok: { transStatus: 'N' } })
    expect(results).toMatchObject([{ transStatus: 'N', challengeCancel: '01' }])
  })

  it('is refused what is not its own', async () => {
    const { acsTransID } = await authenticate(areqOf(challengeCard, appFields))
    const foreign = { erro: { errorCode: '301', errorComponent: 'A' } }
    expect(await say(id)).toMatchObject(foreign)
    expect(await say(acsTransID, { sdkTransID: id })).toMatchObject(foreign)
    expect(await say((await authenticate(areqOf(challengeCard))).acsTransID)).toMatchObject(foreign)
    expect(readMessage('CRes', (await send('/acs/app', '{}')).body)).toMatchObject({ erro: { errorCode: '101' } })
  })
})

describe('whatever arrives', () => {
  it.each([
    ['/', 'GET', 404],
    ['/constructor', 'POST', 404],
    ['/ds', 'GET', 405],
  ])('%s %s is %d', async (path, method, status) => expect((await send(path, '', method)).status).toBe(status))

  it('is answered, and throws nothing', async () => {
    const paths = ['/ds', '/acs/method', '/acs/challenge', '/acs/answer', '/acs/app']
    const names = ['creq', 'threeDSSessionData', 'threeDSMethodData', 'acsTransID', 'password', 'cancel']
    const form = fc.dictionary(fc.constantFrom(...names), fc.string(), { maxKeys: 6 })
    const bodies = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.json().map((json) => Buffer.from(json)),
      form.map((fields) => Buffer.from(new URLSearchParams(fields).toString())),
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), bodies, async (path, body) => {
        const reply = await send(path, body)
        expect([200, 400]).toContain(reply.status)
      }),
      { numRuns: 300 },
    )
    expect(results).toEqual([])
  })
})
