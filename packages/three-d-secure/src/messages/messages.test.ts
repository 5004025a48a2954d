import { Secret } from '@tollgate/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Context } from '../context.ts'
import type { DeviceChannel, Fields, Format, MessageCategory, Scope, Table } from '../field.ts'
import { findFaults, isAvailable } from '../find-faults.ts'
import { UUID } from '../format.ts'
import { readMessage } from '../read-message.ts'
import { type ProtocolVersion, protocolVersions } from '../versions.ts'
import { writeMessage } from '../write-message.ts'
import { type MessageType, messageTypes } from './message-type.ts'
import { messages } from './messages.ts'

const channels: readonly DeviceChannel[] = ['01', '02', '03']
const categories: readonly MessageCategory[] = ['01', '02']

/** A type of message in a kind of transaction, with the field values that determine which other fields are required. */
interface Case {
  readonly kind: MessageType
  readonly version: ProtocolVersion
  readonly deviceChannel: DeviceChannel
  readonly messageCategory: MessageCategory
  readonly fixed: Fields
}

const variants: Readonly<Record<MessageType, readonly Fields[]>> = {
  PReq: [{}],
  PRes: [{}],
  AReq: [
    { threeDSRequestorAuthenticationInd: '01', browserJavascriptEnabled: true },
    { threeDSRequestorAuthenticationInd: '03', threeDSRequestorDecReqInd: 'Y', browserJavascriptEnabled: false },
  ],
  ARes: ['Y', 'A', 'N', 'U', 'R', 'C', 'D', 'I'].map((transStatus) => ({ transStatus, acsDecConInd: 'Y' })),
  CReq: [{}],
  CRes: [{ challengeCompletionInd: 'Y' }, { challengeCompletionInd: 'N', acsUiType: '05' }],
  RReq: ['Y', 'A', 'N', 'U', 'R'].map((transStatus) => ({ transStatus })),
  RRes: [{}],
  Erro: [{}],
}

/** Whether the rules of `rules.ts` and the version allow the case. */
const isLegal = ({ kind, version, deviceChannel, messageCategory, fixed }: Case): boolean => {
  const status = fixed['transStatus']
  if (kind === 'AReq') return version !== '2.1.0' || deviceChannel !== '03' || messageCategory === '02'
  if (kind === 'ARes')
    return !(deviceChannel === '03' && status === 'C') && (version !== '2.1.0' || (status !== 'D' && status !== 'I'))
  if (kind === 'CRes') return deviceChannel !== '02' || fixed['challengeCompletionInd'] === 'Y'
  return true
}

const cases: readonly Case[] = messageTypes
  .flatMap((kind) =>
    protocolVersions.flatMap((version) =>
      channels.flatMap((deviceChannel) =>
        categories.flatMap((messageCategory) =>
          variants[kind].map((fixed) => ({ kind, version, deviceChannel, messageCategory, fixed })),
        ),
      ),
    ),
  )
  .filter(isLegal)

const contextOf = ({ version, deviceChannel, messageCategory }: Case): Context => ({
  messageVersion: version,
  deviceChannel,
  messageCategory,
})

/** Characters of one to four bytes, and some that JSON escapes. */
const characters = fc.constantFrom('a', 'Z', '0', ' ', '"', '\\', '<', '\u0000', 'é', 'م', '\u{1F4B3}')

const arbitraries = new Map<string, fc.Arbitrary<unknown>>()

/** Values of a format. Equal formats share an arbitrary, because its creation is slow. */
function valuesOf(format: Format, version: ProtocolVersion): fc.Arbitrary<unknown> {
  const replacer = (_: string, part: unknown): unknown => (part instanceof RegExp ? part.source : part)
  const key = `${version} ${JSON.stringify(format, replacer)}`
  const values = arbitraries.get(key) ?? makeValues(format, version)
  arbitraries.set(key, values)
  return values
}

function makeValues(format: Format, version: ProtocolVersion): fc.Arbitrary<unknown> {
  switch (format.kind) {
    case 'text':
      return fc.string({ unit: characters, minLength: format.charsMin, maxLength: Math.min(format.charsMax, 40) })
    case 'pattern':
      return format.source === UUID ? fc.uuid() : fc.stringMatching(format.source)
    case 'codes':
      return fc.constantFrom(...format.codes, ...(format.reserved ? ['80', '99'] : []))
    case 'url':
      return fc.constantFrom('https://x.example', 'http://x.example:8080/a?b=c#d', 'HTTPS://X.example/%20')
    case 'boolean':
      return fc.boolean()
    case 'cardNumber':
      return fc.stringMatching(/^[0-9]{13,19}$/)
    case 'json':
      return fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.string({ maxLength: 8 }), { maxKeys: 3 })
    case 'list':
      return fc.array(valuesOf(format.item, version), { minLength: 1, maxLength: Math.min(3, format.itemsMax) })
    case 'versions':
      return valuesOf(format.versions[version], version)
    case 'object':
      // An unknown critical extension would be refused before its format is checked.
      return objectOf(format.fields, version).map((value) =>
        'criticalityIndicator' in value ? { ...value, criticalityIndicator: false } : value,
      )
  }
}

const objectOf = (table: Table, version: ProtocolVersion): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(Object.fromEntries(Object.entries(table).map(([name, { format }]) => [name, valuesOf(format, version)])))

const scopeOf = (example: Case, fields: Fields): Scope => ({ ...example, fields })

/** A message with every field that is available in its case. */
const completeOf = (example: Case): fc.Arbitrary<Fields> => {
  const table = Object.fromEntries(
    Object.entries(messages[example.kind]).filter(([, field]) => isAvailable(field, scopeOf(example, {}))),
  )
  return objectOf(table, example.version).map((fields) => ({
    messageType: example.kind,
    ...fields,
    ...Object.fromEntries(Object.entries(example.fixed).filter(([name]) => name in table)),
    ...('messageVersion' in table && { messageVersion: example.version }),
    ...('deviceChannel' in table && { deviceChannel: example.deviceChannel }),
    ...('messageCategory' in table && { messageCategory: example.messageCategory }),
  }))
}

/** A message without some of its optional fields. */
const messageOf = (example: Case): fc.Arbitrary<Fields> =>
  fc.tuple(completeOf(example), fc.infiniteStream(fc.boolean())).map(([complete, coin]) => {
    const fields: Record<string, unknown> = Object.fromEntries(
      Object.entries(complete).filter(([name]) => name === 'messageType' || name in example.fixed || coin.next().value),
    )
    for (;;) {
      const [needed] = findFaults(messages[example.kind], fields, scopeOf(example, fields))
      if (!needed) return fields
      fields[needed.name] = complete[needed.name]
    }
  })

/** Values that a format refuses in every version. */
function wrongValues(format: Format): readonly unknown[] {
  const wrongTypes = [42, { some: 'object' }, ['a list']]
  switch (format.kind) {
    case 'boolean':
      return ['true', 'false', 0, {}]
    case 'url':
      return [
        ...wrongTypes,
        `https://x.example/${'x'.repeat(format.charsMax)}`,
        'javascript:alert(1)',
        '/relative',
        'https://user:secret@example.com/',
      ]
    case 'json':
      return ['text', 1, ['a list'], { long: 'x'.repeat(format.charsMax) }]
    case 'list':
      return ['text', {}, [], [undefined], Array.from({ length: format.itemsMax + 1 }, () => ({}))]
    case 'object':
      return ['text', 1, ['a list']]
    case 'text':
      return [...wrongTypes, (format.charsMax > 10_000 ? 'x' : '\u{1F4B3}').repeat(format.charsMax + 1)]
    case 'pattern':
    case 'codes':
    case 'cardNumber':
    case 'versions':
      return [...wrongTypes, 'a value that is not a code']
  }
}

const runOptions = { seed: 3, numRuns: 2, endOnFailure: true }
const nameOf = ({ kind, version, deviceChannel, messageCategory, fixed }: Case): string =>
  `${kind} ${version} channel ${deviceChannel} category ${messageCategory} ${JSON.stringify(fixed)}`

describe.each(messageTypes)('%s', (kind) => {
  const casesOfKind = cases.filter((example) => example.kind === kind)

  it('is equal after writing and reading', () => {
    for (const example of casesOfKind) {
      fc.assert(
        fc.property(messageOf(example), (fields) => {
          const read = readMessage(kind, JSON.stringify(fields), contextOf(example))
          if (!('ok' in read)) throw new Error(`${nameOf(example)}: ${JSON.stringify(read)}`)
          const reread = readMessage(kind, writeMessage(kind, read.ok, contextOf(example)), contextOf(example))
          expect(reread).toEqual(read)
          expect(withPlainNumbers('ok' in reread ? reread.ok : {})).toEqual(withoutType(fields))
        }),
        runOptions,
      )
    }
  })

  // Each case tests one kind of missing or malformed value; the cases together test all kinds.
  it('is refused with 201 and the names of missing fields, and accepted without optional fields', () => {
    for (const [index, example] of casesOfKind.entries()) {
      const [fields = {}] = fc.sample(messageOf(example), { seed: index, numRuns: 1 })
      for (const dropped of Object.keys(fields).filter((key) => key !== 'messageType')) {
        const remaining = Object.fromEntries(Object.entries(fields).filter(([key]) => key !== dropped))
        const needed = findFaults(messages[kind], remaining, scopeOf(example, remaining)).map((finding) => finding.name)
        const sent = index % 3 === 0 ? remaining : { ...remaining, [dropped]: index % 3 === 1 ? null : '' }
        const read = readMessage(kind, JSON.stringify(sent), contextOf(example))
        if (needed.length === 0) expect('ok' in read, `${nameOf(example)} without ${dropped}`).toBe(true)
        else expect(read, nameOf(example)).toEqual({ fault: { errorCode: '201', errorDetail: needed.join(', ') } })
      }
    }
  })

  it('is refused with 203 and the name of a malformed field, never its value', () => {
    for (const [index, example] of casesOfKind.entries()) {
      const [fields = {}] = fc.sample(completeOf(example), { seed: index, numRuns: 1 })
      for (const [malformed, { format }] of Object.entries(messages[kind])) {
        if (!(malformed in fields) || malformed === 'messageVersion') continue
        const invalid = wrongValues(format)
        const value = invalid[index % invalid.length]
        const read = readMessage(kind, JSON.stringify({ ...fields, [malformed]: value }), contextOf(example))
        expect(read, `${nameOf(example)} ${malformed}`).toEqual({ fault: { errorCode: '203', errorDetail: malformed } })
      }
    }
  })
})

describe('fields that a table requires', () => {
  const missingFields = (kind: MessageType, context: Context, fields: Fields): string => {
    const read = readMessage(kind, JSON.stringify({ messageType: kind, messageVersion: '2.2.0', ...fields }), context)
    return 'fault' in read && read.fault.errorCode === '201' ? read.fault.errorDetail : ''
  }
  const browserPayment: Context = { deviceChannel: '02', messageCategory: '01' }

  it.each([
    ['ARes', browserPayment, { transStatus: 'Y' }, 'authenticationValue, eci'],
    ['ARes', browserPayment, { transStatus: 'A' }, 'authenticationValue, eci'],
    ['ARes', browserPayment, { transStatus: 'N' }, 'transStatusReason'],
    ['ARes', browserPayment, { transStatus: 'U' }, 'transStatusReason'],
    ['ARes', browserPayment, { transStatus: 'R' }, 'transStatusReason'],
    ['ARes', browserPayment, { transStatus: 'C' }, 'acsChallengeMandated, authenticationType, acsURL'],
    [
      'ARes',
      { deviceChannel: '01', messageCategory: '01' },
      { transStatus: 'C', sdkTransID: 'x' },
      'acsChallengeMandated, authenticationType, acsRenderingType, acsSignedContent',
    ],
    ['ARes', browserPayment, { transStatus: 'D' }, 'acsChallengeMandated, authenticationType, acsDecConInd'],
    ['ARes', browserPayment, { transStatus: 'I' }, ''],
    ['ARes', browserPayment, {}, 'transStatus'],
    ['ARes', { deviceChannel: '02', messageCategory: '02' }, {}, ''],
    ['ARes', { deviceChannel: '02', messageCategory: '02' }, { transStatus: 'Y' }, ''],
  ] as const)('%s in %j with %j lacks: %s', (kind, context, fields, required) => {
    const id = 'd290f1ee-6c54-4b01-90e6-d701748f0851'
    const common = {
      threeDSServerTransID: id,
      acsTransID: id,
      dsTransID: id,
      acsReferenceNumber: 'A',
      dsReferenceNumber: 'D',
    }
    expect(missingFields(kind, context, { ...common, ...fields })).toBe(required)
  })
})

/** The fields of a message with card numbers as text, for comparison. */
const withPlainNumbers = (message: Fields): Fields =>
  Object.fromEntries(
    Object.entries(message).map(([key, value]) => [
      key,
      value instanceof Secret ? value.use((bytes) => Buffer.from(bytes).toString('latin1')) : value,
    ]),
  )

const withoutType = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => key !== 'messageType'))
