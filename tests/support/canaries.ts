import { sandboxIds } from '@tollgate/gateway'
import type { Request } from './http.ts'
import { authorization, cardPayment, type Form, post, followUpForm } from './payments.ts'

// Account data that occur nowhere else, and requests by which they can enter the gateway.

/** Card numbers that satisfy the Luhn check, of 16 and of 19 digits, and one that does not. */
export const cardNumbers = {
  short: '4718302677295615',
  long: '4712960381572493060',
  wrong: '4739058164729358',
} as const

const { short, long, wrong } = cardNumbers

/** A number that is sent only in the URL of a request, where it is never allowed. */
const numberInUrl = '4746105928371648'

/** An invalid cvv, so long that its digits do not occur by chance. */
const longCvv = '83502761945566'

/** The block of an encrypted PIN, whose eight bytes are digits. */
const pinBlock = '8194027365918204'

/** Digits that must not remain anywhere, not even in freed memory. */
export const erased: readonly string[] = [...Object.values(cardNumbers), longCvv, pinBlock]

/**
 * Digits that must not be kept anywhere. Node decodes a URL as a string before the gateway receives it, and freed
 * strings cannot be erased: they remain until their memory is reused.
 */
export const canaries: readonly string[] = [...erased, numberInUrl]

/** Well-formed cvvs. They are too short to search for in text, so no whole value may be equal to one. */
export const cvvs: readonly string[] = ['739', '7394']

/** The ids to which requests refer. */
export interface RecordIds {
  readonly paymentId: string
  readonly registrationId: string
  readonly checkoutId: string
  /** A debit at the acquirer's host. */
  readonly externalId: string
}

const pay = (changes: Form, headers?: Form): Request => post('/v1/payments', cardPayment(changes), headers)

/** A POST of a payment, with changes, whose body is sent as it is. */
const raw = (body: string, changes: Partial<Request> = {}): Request => ({
  ...post('/v1/payments', {}),
  ...changes,
  body,
})

const without = (form: Form, ...names: readonly string[]): Form =>
  Object.fromEntries(Object.entries(form).filter(([name]) => !names.includes(name)))

/** An encoded body with a card number and a cvv. */
const cardBody = (number: string): string => String(new URLSearchParams({ 'card.number': number, 'card.cvv': longCvv }))
const query = String(new URLSearchParams({ 'card.number': numberInUrl, 'card.cvv': '739' }))
/** A card number as the number of a bank account, to which no rule of cards or IBANs applies. */
const bankAccount = (number: string) => ({
  entityId: sandboxIds.channel,
  paymentBrand: 'DIRECTDEBIT_SEPA',
  'bankAccount.holder': 'Jane Jones',
  'bankAccount.number': number,
  'bankAccount.bankCode': '37040044',
  'bankAccount.country': 'DE',
  'bankAccount.mandate.id': 'MANDATE-A',
  'bankAccount.mandate.dateOfSignature': '2020-05-04',
})
const debit = { amount: '92.00', currency: 'EUR', paymentType: 'DB' }
const shopperResultUrl = 'https://shop.example/done'
const registration = without(cardPayment(), 'amount', 'currency', 'paymentType')
const { 'content-type': formType = '' } = post('/', {}).headers ?? {}
/** A login of an older client, whose password is a canary. */
const loginForm = (changes: Form = {}): Form => ({
  'authentication.entityId': sandboxIds.legacyChannel,
  'authentication.userId': sandboxIds.user,
  'authentication.password': short,
  ...changes,
})
const postWithoutToken = (form: Form): Request => ({
  ...post('/v1/payments', form),
  headers: { 'content-type': formType },
})
const money = { entityId: cardPayment()['entityId'] ?? '', amount: '92.00', currency: 'EUR' }
const withoutCard = without(cardPayment(), 'card.number')
const escaped = (text: string): string => Array.from(text, (char) => `%${char.charCodeAt(0).toString(16)}`).join('')
const withContentType = (type: string) => ({ headers: { ...authorization, 'content-type': type } })
/** The request by which the payment page submits a checkout, without a token. */
const submitCheckout = ({ checkoutId }: RecordIds, changes: Form): Request => {
  const form = { ...without(registration, 'entityId'), ...changes }
  return { ...post(`/v1/checkouts/${checkoutId}/payment`, form), headers: { 'content-type': formType } }
}
const noteOfMegabytes = (count: number): string => `customParameters[note]=${'a'.repeat(count * 1024 * 1024)}`
const chunked = { headers: { ...post('/', {}).headers, 'transfer-encoding': 'chunked' } }
const withKey = { 'idempotency-key': 'canary' }

const terminal = { 'pos.entryMode': 'ICC', 'pos.terminalId': '42' }
/** Data of a chip with the track 2 of a card (tag 57): the number, a separator, and the expiry date. */
function track2(number: string): string {
  const track = `${number}D3112201`.padEnd(28, 'F')
  return `57${(track.length / 2).toString(16).padStart(2, '0')}${track}`
}
const encryptedByTerminal = {
  ...terminal,
  'pos.encryptedSred.data': short,
  'pos.encryptedPin.data': pinBlock,
  'pos.encryptedPin.ksn': 'FFFF9876543210E00001',
  'pos.iccDataRequest': track2(long),
}
/** A sale that card and terminal have approved without the issuer. @param number the terminal's number of the sale */
const offlineSale = (number: string): Form => ({
  ...terminal,
  'card.number': long,
  'card.cvv': '739',
  'pos.transactionSequenceNumber': number,
  'pos.iccDataRequest': `9F270140${track2(short)}`,
})

/** Payments at the acquirer's host whose answers are wrong, so that they are reversed or sent again. */
export const canariesToRecover: readonly (readonly [name: string, build: () => Request])[] = [
  [
    'a hold',
    () => pay({ testMode: 'EXTERNAL', paymentType: 'PA', ...offlineSale('1'), 'pos.iccDataRequest': track2(short) }),
  ],
  [
    'a hold of an encrypted card',
    () => post('/v1/payments', { ...withoutCard, testMode: 'EXTERNAL', paymentType: 'PA', ...encryptedByTerminal }),
  ],
  ['an offline sale', () => pay({ testMode: 'EXTERNAL', ...offlineSale('2') })],
]

/** Requests with the canaries in the places in which a client may send them, by mistake or not. */
export const canaryRequests: readonly (readonly [name: string, build: (recordIds: RecordIds) => Request])[] = [
  ['a debit', () => pay({ 'card.number': short, 'card.cvv': '739' })],
  ['a cvv of four digits', () => pay({ paymentBrand: 'AMEX', 'card.number': '378282246310005', 'card.cvv': '7394' })],
  [
    'a preauthorisation whose brand is detected',
    () => post('/v1/payments', without(cardPayment({ paymentType: 'PA', 'card.number': long }), 'paymentBrand')),
  ],
  ['a payout', () => pay({ paymentType: 'CD', 'card.number': short })],
  ['a payment with a registration of its card', () => pay({ createRegistration: 'true', 'card.number': long })],
  ['a decline', () => pay({ 'card.number': short, 'customParameters[forceResultCode]': '800.100.151' })],
  ['a registration', () => post('/v1/registrations', { ...registration, 'card.number': long, 'card.cvv': '739' })],
  ['a registration with a payment type', () => post('/v1/registrations', cardPayment({ 'card.number': long }))],
  [
    'a payment with a registration',
    (recordIds) =>
      post(`/v1/registrations/${recordIds.registrationId}/payments`, { ...withoutCard, 'card.cvv': '739' }),
  ],
  [
    'a payment with a registration and a number',
    (recordIds) =>
      post(`/v1/registrations/${recordIds.registrationId}/payments`, cardPayment({ 'card.number': short })),
  ],
  [
    'a capture',
    (recordIds) => post(`/v1/payments/${recordIds.paymentId}`, followUpForm('CP', { 'card.number': short })),
  ],
  [
    'a refund',
    (recordIds) =>
      post(`/v1/payments/${recordIds.paymentId}`, followUpForm('RF', { 'card.number': short, 'card.cvv': '739' })),
  ],
  [
    'a rebill',
    (recordIds) =>
      post(`/v1/payments/${recordIds.paymentId}`, followUpForm('RB', { 'card.number': short, 'card.cvv': '739' })),
  ],
  [
    'a reversal of an unknown payment',
    () => post('/v1/payments/0123456789abcdef0123456789abcdef', followUpForm('RV', { 'card.number': short })),
  ],
  ['a risk check', () => post('/v1/risk', { ...registration, ...money, 'card.number': short, 'card.cvv': '739' })],
  [
    'an authentication without a payment',
    () => post('/v1/threeDSecure', { ...registration, ...money, shopperResultUrl, 'card.number': short }),
  ],
  [
    'an authentication that waits for the shopper',
    () =>
      post('/v1/threeDSecure', {
        ...registration,
        ...money,
        shopperResultUrl,
        'card.number': long,
        'card.cvv': '739',
        'customParameters[3DS2_enrolled]': 'true',
        'customParameters[3DS2_billingUnavailable]': 'street1,city,postcode,country',
      }),
  ],
  ['a risk check of a bank account', () => post('/v1/risk', { ...money, 'bankAccount.iban': `DE00${short}` })],
  ['a risk check at the older path', () => post('/v2/redShield', cardPayment({ 'card.number': wrong }))],
  [
    'a checkout with a number',
    () => post('/v1/checkouts', { ...money, paymentType: 'DB', 'card.number': short, 'card.cvv': '739' }),
  ],
  [
    'a change of a checkout',
    (recordIds) => post(`/v1/checkouts/${recordIds.checkoutId}`, { entityId: money.entityId, 'card.number': long }),
  ],
  [
    'a shopper’s mistyped number',
    (recordIds) => submitCheckout(recordIds, { 'card.number': wrong, 'card.cvv': longCvv }),
  ],
  ['a shopper’s payment', (recordIds) => submitCheckout(recordIds, { 'card.number': short, 'card.cvv': '739' })],
  [
    'a read of a payment',
    (recordIds) => ({ method: 'GET', path: `/v1/payments/${recordIds.paymentId}?${query}`, headers: authorization }),
  ],
  ['a read of an unknown payment', () => ({ method: 'GET', path: `/v1/payments/1?${query}`, headers: authorization })],
  [
    'a deletion of a registration without entityId',
    (recordIds) => ({
      method: 'DELETE',
      path: `/v1/registrations/${recordIds.registrationId}?${query}`,
      headers: authorization,
    }),
  ],
  ['a query string on a POST', () => post(`/v1/payments?${query}`, cardPayment())],
  ['an unknown path', () => post(`/v1/unknown?${query}`, cardPayment({ 'card.number': short }))],
  ['an undecodable path', () => post(`/v1/%zz?${query}`, cardPayment({ 'card.number': short }))],
  ['a wrong method', () => ({ ...pay({ 'card.number': short }), method: 'PUT' })],
  ['a read of the result codes', () => ({ method: 'GET', path: `/v1/resultcodes?${query}` })],
  ['a request without a token', () => ({ ...pay({ 'card.number': short }), headers: {} })],
  ['a wrong token', () => pay({ 'card.number': short }, { authorization: 'Bearer wrong' })],
  ['a wrong login', () => postWithoutToken(cardPayment({ ...loginForm(), 'card.number': long }))],
  [
    'a login on a strict channel',
    () => postWithoutToken(cardPayment(loginForm({ 'authentication.entityId': sandboxIds.channel }))),
  ],
  ['a login without a user', () => postWithoutToken(without(cardPayment(loginForm()), 'authentication.userId'))],
  [
    'a password that is too long',
    () => postWithoutToken(cardPayment(loginForm({ 'authentication.password': short.repeat(20) }))),
  ],
  [
    'a login with a card',
    () =>
      postWithoutToken(cardPayment({ ...loginForm({ 'authentication.password': 'sandbox' }), 'card.number': long })),
  ],
  ['a token and a login', () => pay({ ...loginForm(), 'card.number': long })],
  [
    'a login with escapes',
    () => ({ ...postWithoutToken({}), body: `${escaped('authentication.password')}=${escaped(short)}` }),
  ],
  ['a number that is too short', () => pay({ 'card.number': short.slice(0, 7), 'card.cvv': longCvv })],
  ['a number that is too long', () => pay({ 'card.number': short + long })],
  ['a number with a blank', () => pay({ 'card.number': `${short} `, 'card.cvv': longCvv })],
  ['a number that fails the Luhn check', () => pay({ 'card.number': wrong })],
  ['a wrong cvv', () => pay({ 'card.number': short, 'card.cvv': longCvv })],
  ['a brand that does not match the number', () => pay({ 'card.number': short, paymentBrand: 'AMEX' })],
  ['an unknown brand', () => pay({ 'card.number': short, paymentBrand: 'NONE' })],
  ['an expired card', () => pay({ 'card.number': short, 'card.expiryYear': '2001' })],
  ['a form of card data only', () => raw(cardBody(short))],
  ['duplicate parameters', () => raw(`${cardBody(short)}&${cardBody(short)}&${cardBody(long)}`)],
  ['escaped names', () => raw(`${escaped('card.number')}=${short}&card%2ecvv=${longCvv}`)],
  ['escaped values', () => raw(`card.number=${escaped(short)}&card.cvv=${escaped(longCvv)}`)],
  ['a broken escape', () => raw(`card.number=${short}%4&card.cvv=${longCvv}%zz`)],
  ['invalid UTF-8', () => raw(`card.number=${short}%ff&card.cvv=${longCvv}%c3`)],
  ['an Idempotency-Key', () => pay({ 'card.number': short, 'card.cvv': '739' }, withKey)],
  ['the same Idempotency-Key again', () => pay({ 'card.number': short, 'card.cvv': '739' }, withKey)],
  ['the Idempotency-Key with another card', () => pay({ 'card.number': long, 'card.cvv': '739' }, withKey)],
  ['a blank Idempotency-Key', () => pay({ 'card.number': short }, { 'idempotency-key': ' ' })],
  [
    'a token account',
    () =>
      post('/v1/payments', {
        ...withoutCard,
        'tokenAccount.number': short,
        'tokenAccount.dtvc': '739',
        'tokenAccount.type': 'NETWORK',
      }),
  ],
  [
    'a token account that is registered',
    () => post('/v1/registrations', { ...registration, 'tokenAccount.number': short, 'tokenAccount.type': 'EXTERNAL' }),
  ],
  ['a gift card beside a card', () => pay({ 'giftCard.number': short, 'giftCard.pin': longCvv })],
  [
    'a gift card',
    () =>
      post('/v1/payments', {
        ...withoutCard,
        paymentBrand: 'HEB_GIFT_CARD',
        'giftCard.number': long,
        'giftCard.pin': longCvv,
      }),
  ],
  [
    'a virtual account',
    () => post('/v1/payments', { ...withoutCard, paymentBrand: 'PAYPAL', 'virtualAccount.accountId': `${long}@shop` }),
  ],
  [
    'a device account number of a wallet',
    () =>
      pay({
        'card.number': short,
        'applePay.source': 'app',
        'threeDSecure.eci': '05',
        'threeDSecure.verificationId': 'AAACAgSRBklmQCFgMpEGAAAAAAA=',
      }),
  ],
  [
    'a payment at a terminal',
    () =>
      post('/v1/payments', {
        ...withoutCard,
        'pos.entryMode': 'ICC',
        'pos.terminalId': '42',
        'pos.encryptedSred.data': short,
        'pos.encryptedPin.data': longCvv,
        'pos.iccDataRequest': long,
      }),
  ],
  [
    'an encrypted card, at the acquirer’s host',
    () => post('/v1/payments', { ...withoutCard, testMode: 'EXTERNAL', ...encryptedByTerminal }),
  ],
  [
    'a card at a terminal, at the host',
    () => pay({ testMode: 'EXTERNAL', ...encryptedByTerminal, 'card.number': long }),
  ],
  [
    'a declined card at a terminal, at the host',
    () => pay({ testMode: 'EXTERNAL', ...encryptedByTerminal, 'card.number': short, amount: '10000.55' }),
  ],
  ['an offline sale', () => pay(offlineSale('3'))],
  ['an offline sale, at the host', () => pay({ testMode: 'EXTERNAL', ...offlineSale('4') })],
  ['an offline sale that is sent again', () => pay({ testMode: 'EXTERNAL', ...offlineSale('4') })],
  [
    'a refund at a terminal, at the host',
    (recordIds) => post(`/v1/payments/${recordIds.externalId}`, followUpForm('RF', encryptedByTerminal)),
  ],
  [
    'a bank account',
    () => post('/v1/payments', { ...withoutCard, 'bankAccount.number': short, 'bankAccount.iban': short }),
  ],
  ['a direct debit', () => post('/v1/payments', { ...bankAccount(short), ...debit })],
  ['a rejected direct debit', () => post('/v1/payments', { ...bankAccount(short), ...debit, amount: '92.04' })],
  [
    'a direct debit in another currency',
    () => post('/v1/payments', { ...bankAccount(short), ...debit, currency: 'USD' }),
  ],
  ['a registered bank account', () => post('/v1/registrations', bankAccount(long))],
  ['an encrypted wallet token', () => post('/v1/payments', { ...withoutCard, 'applePay.paymentToken': short })],
  [
    'JSON',
    () =>
      raw(
        JSON.stringify({ 'card.number': short, card: { number: short, cvv: longCvv } }),
        withContentType('application/json'),
      ),
  ],
  ['plain text', () => raw(cardBody(short), withContentType('text/plain'))],
  [
    'a multipart form',
    () =>
      raw(
        `--x\r\nContent-Disposition: form-data; name="card.number"\r\n\r\n${short}\r\n--x--`,
        withContentType('multipart/form-data; boundary=x'),
      ),
  ],
  ['another charset', () => raw(cardBody(short), withContentType('application/x-www-form-urlencoded; charset=UTF-16'))],
  ['a long body', () => raw(`${cardBody(short)}&${noteOfMegabytes(1)}&${cardBody(short)}`)],
  ['a long body, chunked', () => raw(`${cardBody(short)}&${noteOfMegabytes(1)}&${cardBody(short)}`, chunked)],
  ['a body that is too long', () => raw(`${cardBody(short)}&${noteOfMegabytes(3)}`)],
  [
    'a body that is too long, chunked',
    () => raw(`${cardBody(short)}&${noteOfMegabytes(3)}&${cardBody(short)}`, chunked),
  ],
  [
    'an update of a registration',
    (recordIds) => post(`/v1/registrations/${recordIds.registrationId}`, { ...registration, 'card.number': long }),
  ],
  [
    'a refused update of a registration',
    (recordIds) => post(`/v1/registrations/${recordIds.registrationId}`, { ...registration, 'card.number': wrong }),
  ],
  [
    'an extension of a registration',
    (recordIds) =>
      post(`/v1/registrations/${recordIds.registrationId}/extendlife`, { ...registration, 'card.cvv': '739' }),
  ],
  [
    'a deletion of a registration',
    (recordIds) => ({
      method: 'DELETE',
      path: `/v1/registrations/${recordIds.registrationId}?entityId=70119a7e5eed00000000000000000c00&${query}`,
      headers: authorization,
    }),
  ],
]
