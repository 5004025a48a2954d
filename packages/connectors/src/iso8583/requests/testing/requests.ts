import { parametersOf, type ParameterName, Secret } from '@tollgate/contract'
import { decodePrivateData } from '@tollgate/iso8583'
import type { AcquirerAccount, AcquirerRequest } from '../../../port.ts'
import type { AcquirerProfile } from '../../profile.ts'
import type { Trace } from '../../trace.ts'
import type { OriginalMessage, RequestMessage } from '../message-source.ts'
import { requestMessage } from '../request-message.ts'

/** The merchant, terminal and acquirer of the known messages. */
export const profile: AcquirerProfile = {
  name: 'Test acquirer',
  spec: 'ascii1987',
  header: 'binary2',
  acquirerId: '400123',
  country: '276',
  merchantId: 'MERCHANT0000001',
  merchantCategory: '5734',
  merchantName: 'PROFILE NAME',
  merchantCity: 'MUENCHEN',
  merchantCountry: 'DE',
  timeZone: 'Europe/Berlin',
  presentation: 'host',
  cutOff: '00:00',
}

/** @param time UTC */
export const trace = (time = '2026-11-20T09:30:15Z', stan = '000123'): Trace => ({
  terminalId: 'TERM0001',
  stan,
  atMs: Date.parse(time),
})

/** The preauthorisation of the known messages, for its follow-ups. */
export const original: OriginalMessage = {
  retrievalReference: '432410000123',
  originalData: '010000012311200930150000040012300000000000',
  approvalCode: 'A1B2C3',
}

export const networkId = '489324123456789'

export const asciiBytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'))
export const asciiText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
export const secretOf = (text: string): Secret => new Secret(Uint8Array.from(Buffer.from(text)))

export const card = (changes: Partial<AcquirerAccount> = {}): AcquirerAccount => ({
  kind: 'card',
  number: secretOf('4200000000000091'),
  holder: undefined,
  expiryMonth: '12',
  expiryYear: '2031',
  cvv: undefined,
  ...changes,
})

type Texts = Readonly<Record<string, string>>

/** A preauthorisation of 92.00 EUR, whose descriptor fits in field 43. */
export const request = (changes: Partial<AcquirerRequest> = {}, parameters: Texts = {}): AcquirerRequest => ({
  transactionId: '8ac7a4a0000000000000000000000001',
  operation: 'PA',
  amountMinor: 9200,
  currency: 'EUR',
  brand: 'VISA',
  testMode: 'EXTERNAL',
  account: card(),
  descriptor: 'SHOP*ORDER 4711',
  partialApproval: false,
  parameters: parametersOf(parameters).values,
  secrets: new Map(),
  atMs: trace().atMs,
  ...changes,
})

export const secrets = (...entries: readonly (readonly [ParameterName, string])[]): AcquirerRequest['secrets'] =>
  new Map(entries.map(([name, value]) => [name, secretOf(value)]))

/** The fields of the message of a request. */
export const fieldsOf = (
  changes: Partial<AcquirerRequest> = {},
  parameters: Texts = {},
  originalMessage?: OriginalMessage,
): RequestMessage['fields'] => requestMessage(request(changes, parameters), trace(), profile, originalMessage).fields

/** The elements of private data by tag, as texts. */
export const elementsOf = (data: string | Uint8Array | undefined): Texts =>
  Object.fromEntries(
    Array.from(decodePrivateData(typeof data === 'string' ? asciiBytes(data) : (data ?? new Uint8Array())), (entry) => [
      entry[0],
      asciiText(entry[1]),
    ]),
  )
