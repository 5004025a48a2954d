import { Secret } from '@tollgate/contract'
import {
  type Context,
  decodeMessage,
  encodeMessage,
  type MessageOf,
  readMessage,
  writeMessage,
} from '@tollgate/three-d-secure'
import type { FastifyInstance } from 'fastify'
import { beforeEach, expect } from 'vitest'
import { simulatorServer } from '../../http/server.ts'
import type { Simulator } from '../../simulator.ts'
import { createThreeDSecureSimulator } from '../simulator.ts'

export const url = 'https://scheme.example'
const serverURL = 'https://pay.example/3ds/results'
const notificationURL = 'https://pay.example/3ds/back'
export const challengeCard = '4200000000000018'
/** The id of the transaction at the 3DS server. */
export const transactionId = 'd290f1ee-6c54-4b01-90e6-d701748f0851'
export const sdkId = 'c0ffee00-6c54-4b01-90e6-d701748f0852'

export type AReq = MessageOf<'AReq'>

export const secret = (digits: string): Secret => new Secret(new Uint8Array(Buffer.from(digits)))

/** The authentication request for a payment of 12.34 EUR in a browser. */
export const areqOf = (number: string, changes: Partial<AReq> = {}): AReq => ({
  messageVersion: '2.2.0',
  deviceChannel: '02',
  messageCategory: '01',
  threeDSServerTransID: transactionId,
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

/** The fields of a request from an app, instead of a browser. */
export const appFields: Partial<AReq> = {
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

export const creqOf = ({ acsTransID }: MessageOf<'ARes'>, changes: Partial<MessageOf<'CReq'>> = {}): string =>
  encodeMessage(
    'CReq',
    { messageVersion: '2.2.0', threeDSServerTransID: transactionId, acsTransID, challengeWindowSize: '02', ...changes },
    { deviceChannel: '02' },
  )

interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** The target and the fields of a page that submits itself. */
export function forwardedForm({ body }: Reply): {
  readonly target: string
  readonly fields: Readonly<Record<string, string>>
} {
  const target = /<form id="forward" method="post" action="([^"]*)"/.exec(body)?.[1] ?? ''
  const fields = Array.from(body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g))
  return { target, fields: Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value])) }
}

/** The CRes that the browser sends to the 3DS server. Fails if its address or session data are wrong. */
export function cresOf(reply: Reply): MessageOf<'CRes'> {
  const { target, fields } = forwardedForm(reply)
  expect(target).toBe(notificationURL)
  expect(fields['threeDSSessionData']).toBe('c2Vzc2lvbg')
  const read = decodeMessage('CRes', fields['cres'] ?? '', { deviceChannel: '02', threeDSServerTransID: transactionId })
  if (!('ok' in read)) throw new Error(JSON.stringify(read))
  return read.ok
}

/** A directory server and an ACS whose clock and 3DS server the test controls. */
export class TestIssuers {
  nowMs = Date.UTC(2026, 0, 1)
  /** Results that the 3DS server received. */
  readonly results: MessageOf<'RReq'>[] = []
  /** Number of results that the 3DS server will refuse. */
  failures = 0
  readonly #simulator: Simulator
  readonly #server: FastifyInstance
  #drawn = 0

  constructor() {
    const environment = { url, clock: { now: () => this.nowMs }, random: (bytes: number) => this.#draw(bytes) }
    this.#simulator = createThreeDSecureSimulator(environment, async (address, body) => {
      expect(address).toBe(serverURL)
      return this.#receive(body)
    })
    this.#server = simulatorServer([this.#simulator])
  }

  #draw(bytes: number): Uint8Array {
    this.#drawn += 1
    return Uint8Array.from({ length: bytes }, (_, index) => (this.#drawn * 31 + index * 7) & 0xff)
  }

  #receive(body: string): string | undefined {
    const read = readMessage('RReq', body)
    if (!('ok' in read)) throw new Error(JSON.stringify(read))
    this.results.push(read.ok)
    if (this.failures > 0) {
      this.failures -= 1
      return undefined
    }
    const { messageVersion, threeDSServerTransID, acsTransID, dsTransID, sdkTransID } = read.ok
    const ids = { messageVersion, threeDSServerTransID, acsTransID, dsTransID, sdkTransID }
    return Buffer.from(writeMessage('RRes', { ...ids, resultsStatus: '01' })).toString()
  }

  readonly advance = (): Promise<void> => this.#simulator.advance()

  async send(path: string, body: string | Uint8Array, method: 'GET' | 'POST' = 'POST'): Promise<Reply> {
    const sent = { method, url: path, ...(method === 'POST' && { payload: Buffer.from(body) }) }
    const response = await this.#server.inject(sent)
    return { status: response.statusCode, headers: response.headers, body: response.body }
  }

  readonly sendForm = (path: string, fields: Readonly<Record<string, string>>): Promise<Reply> =>
    this.send(path, new URLSearchParams(fields).toString())

  /** Sends an authentication request, and reads the answer. */
  async request(areq: AReq) {
    return readMessage('ARes', (await this.send('/ds', writeMessage('AReq', areq))).body, contextOf(areq))
  }

  async authenticate(areq: AReq): Promise<MessageOf<'ARes'>> {
    const read = await this.request(areq)
    if (!('ok' in read)) throw new Error(JSON.stringify(read))
    return read.ok
  }

  /** Starts an authentication with a challenge, and opens the page of the challenge. */
  async openChallenge(changes: Partial<AReq> = {}, number = challengeCard): Promise<MessageOf<'ARes'>> {
    const ares = await this.authenticate(areqOf(number, changes))
    expect(ares).toMatchObject({ transStatus: 'C', acsURL: `${url}/acs/challenge`, authenticationType: '02' })
    const shown = await this.sendForm('/acs/challenge', { creq: creqOf(ares), threeDSSessionData: 'c2Vzc2lvbg' })
    expect(shown.status).toBe(200)
    return ares
  }
}

/** @returns the issuers of the current test */
export function testIssuers(): () => TestIssuers {
  let issuers: TestIssuers
  beforeEach(() => {
    issuers = new TestIssuers()
  })
  return () => issuers
}
