import { expect, test } from 'vitest'
import { findParameter } from './names.ts'
import { furtherSections, sections } from './sections.ts'

const rows = [...sections, ...furtherSections].flatMap((section) =>
  section.rows.map((row) => ({ ...row, surface: section.surface })),
)

test('a name is unique in its surface', () => {
  const names = rows.map(({ surface, name }) => `${surface} ${name}`)
  expect(names.length).toBe(new Set(names).size)
})

test('every row is found by its name', () => {
  const concrete = (name: string) => name.replaceAll('[n]', '[0]').replace(/\[(name|key|brand)\]$/, '[abc]')
  const missing = rows.filter(
    ({ surface, name, format }) =>
      format.kind !== 'header' && findParameter(surface, concrete(name))?.row.name !== name,
  )
  expect(missing.map(({ name }) => name)).toEqual([])
})

test('secrets can be checked as bytes and are never echoed', () => {
  const secrets = rows.filter((row) => row.secret !== undefined)
  expect(secrets.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['card.number', 'card.cvv', 'bankAccount.iban', 'tokenAccount.number', 'giftCard.pin']),
  )
  expect(secrets.filter(({ format }) => format.acceptsBytes === undefined)).toEqual([])
  expect(secrets.filter(({ echo }) => echo)).toEqual([])
})

test('no echoed parameter has the name of a structure, so that echoes can nest', () => {
  const names = rows.filter(({ echo }) => echo).map(({ name }) => name)
  const structureNames = names.filter((name) =>
    names.some((other) => other.startsWith(`${name}.`) || other.startsWith(`${name}[`)),
  )
  expect(structureNames).toEqual([])
})

test('maps, and only maps, have a format for their keys', () => {
  const isMap = (name: string) => /\[(?!n\]|CB-)/.test(name)
  expect(rows.filter(({ name, key }) => isMap(name) !== (key !== undefined))).toEqual([])
})

test('the legacy format of a parameter accepts every sample value that its strict format accepts', () => {
  const samples = [
    '10',
    '10.00',
    '1234567890.00',
    'true',
    'false',
    'DB',
    'abcdefgh',
    '+49 30 1',
    'PAYMENT',
    '5',
    'ab-cd',
  ]
  const widened = rows.flatMap(({ name, format, legacy }) => (legacy ? [{ name, format, legacy }] : []))
  expect(widened.length).toBeGreaterThan(20)
  for (const { name, format, legacy } of widened) {
    const accepted = samples.filter((sample) => format.accepts(sample))
    expect([name, accepted.length > 0]).toEqual([name, true])
    expect([name, accepted.filter((sample) => !legacy.accepts(sample))]).toEqual([name, []])
  }
})

const namesWith = (pan: string) => rows.filter((row) => row.pan === pan).map(({ name }) => name)

test('the names of people and companies refuse card numbers', () => {
  const named = /(^|\.)(holder|(given|middle|sur|first|last|company|legal|agent|payFac)[nN]ame)$/
  const furtherNames = new Set(['sender.name', 'corporate.name', 'airline.passengers[n].name'])
  const people = rows.filter(({ name }) => named.test(name) || furtherNames.has(name)).map(({ name }) => name)
  expect(people.length).toBeGreaterThan(30)
  expect(people.filter((name) => !namesWith('refuse').includes(name))).toEqual([])
})

test('card numbers are masked in free text: descriptors, memos, messages, addresses, maps of the merchant', () => {
  expect(namesWith('mask')).toEqual(
    expect.arrayContaining([
      'descriptor',
      'merchantMemo',
      'customParameters[name]',
      'merchant.name',
      'merchant.data[key]',
      'risk.parameters[name]',
      'cart.items[n].name',
      'cart.items[n].description',
      'cart.items[n].giftMessage',
      'giftCard.message',
      'corporate.description',
      'shipping.comment',
      'billing.street1',
      'job.name',
    ]),
  )
})

test('numbers, references and machine-written values are not checked for card numbers', () => {
  expect(namesWith('accept')).toEqual(
    expect.arrayContaining([
      'merchantTransactionId',
      'merchantInvoiceId',
      'transactionLinkId',
      'standingInstruction.initialTransactionId',
      'recurringMigration.connectorTxId1',
      'bankAccount.mandate.id',
      'customer.merchantCustomerId',
      'customer.identificationDocId',
      'customer.phone',
      'customer.workPhone',
      'customer.email',
      'customer.ip',
      'customer.browser.userAgent',
      'cart.items[n].merchantItemId',
      'cart.items[n].sku',
      'cart.items[n].shippingTrackingNumber',
      'shipping.trackingNumber',
      'airline.passengers[n].ticketNumber',
      'airline.passengers[n].frequentFlyerNumber',
      'merchant.submerchantId',
      'merchant.taxId',
      'threeDSecure.dsTransactionId',
      'threeDSecure.verificationId',
      'threeDSecure.deviceInfo',
      'shopperResultUrl',
    ]),
  )
})

test('a parameter whose card numbers are masked is text, at least on legacy channels', () => {
  const masked = rows.filter(({ pan }) => pan === 'mask')
  expect(masked.filter(({ format, legacy }) => format.kind !== 'text' && legacy?.kind !== 'text')).toEqual([])
})

test('a parameter that accepts card numbers unmasked is a number, a reference or machine-written', () => {
  const candidates = rows.filter(({ format, legacy }) =>
    [format, legacy].some((each) => each?.accepts('4539578763621486')),
  )
  const accepted = candidates.filter(({ secret, pan }) => secret === undefined && pan === 'accept')
  const numbered = /(id\d?|number|num|code|digit|phone|mobile|fax|email|ip|sku|price|reference|token|ksn|accuracy)$/i
  const named = /(coordinates|url|website|contact|merchant\.city|fareBasis|header|userAgent|deviceInfo|print\.value)$/i
  expect(accepted.length).toBeGreaterThan(100)
  expect(accepted.map(({ name }) => name).filter((name) => !numbered.test(name) && !named.test(name))).toEqual([])
})
