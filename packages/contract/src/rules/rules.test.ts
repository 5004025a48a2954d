import { describe, expect, test } from 'vitest'
import { checkForm } from '../check-form.ts'
import { decodeForm } from '../decode-form.ts'
import { knownName } from '../names.ts'
import { type OperationName, operations } from '../operations.ts'
import { sections } from '../sections.ts'
import { rules } from './rules.ts'

type Parameters = Readonly<Record<string, string>>

const entity = { entityId: '70119a7e5eed00000000000000000c00' }
const cardData = { 'card.number': '4200000000000000', 'card.expiryMonth': '05', 'card.expiryYear': '2034' }
const debit = { ...entity, amount: '92.00', currency: 'EUR', paymentType: 'DB' }
const card = { ...debit, ...cardData }
const plan = { ...debit, registrationId: '0'.repeat(32) }
const rebill = { ...debit, paymentType: 'RB' }
const bank = { ...debit, paymentBrand: 'DIRECTDEBIT_SEPA', 'bankAccount.holder': 'Jane Jones' }
const proof = { 'threeDSecure.eci': '05', 'threeDSecure.verificationId': 'A'.repeat(28) }
const token = { 'tokenAccount.number': '420000000000', 'tokenAccount.type': 'NETWORK' }
const terminal = { 'pos.entryMode': 'ICC', 'pos.terminalId': '42' }
const browser = {
  'customer.givenName': 'Jane',
  'customer.surname': 'Jones',
  'customer.browser.acceptHeader': '*/*',
  'customer.browser.language': 'de',
  'customer.browser.screenHeight': '1000',
  'customer.browser.screenWidth': '1000',
  'customer.browser.timezone': '-60',
  'customer.browser.userAgent': 'Browser',
  'customer.browser.javaEnabled': 'false',
}
const billing = {
  'billing.street1': 'Main Street',
  'billing.city': 'Berlin',
  'billing.postcode': '10115',
  'billing.country': 'DE',
}
const authentication = { ...card, ...browser, ...billing, 'threeDSecure.authenticationInd': 'PAYMENT' }
const instruction = (type: string, mode: string, source: string): Parameters => ({
  'standingInstruction.type': type,
  'standingInstruction.mode': mode,
  'standingInstruction.source': source,
})
const sold = (...items: readonly (readonly [sellerId: string, totalAmount: string])[]): Parameters =>
  Object.assign(
    {},
    ...items.map(([sellerId, totalAmount], n) => ({
      [`cart.items[${n}].sellerId`]: sellerId,
      [`cart.items[${n}].totalAmount`]: totalAmount,
    })),
  )
const sellers = (...amounts: readonly (readonly [id: string, amount: string])[]): Parameters =>
  Object.assign(
    {},
    ...amounts.map(([id, amount], n) => ({
      [`marketPlace.sellers[${n}].id`]: id,
      [`marketPlace.sellers[${n}].amount`]: amount,
    })),
  )
const KIND = Object.keys(instruction('', '', ''))
const without = (parameters: Parameters, ...names: string[]): Parameters =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !names.includes(name)))

const browserNames = Object.keys(browser).filter((name) => name.startsWith('customer.browser'))

/** What is sent, and the parameters that the rule then finds wrong. */
const table: Readonly<Record<string, readonly (readonly [OperationName, Parameters, wrong: readonly string[]])[]>> = {
  'reference-amount': [
    ['referToPayment', { ...entity, paymentType: 'CP' }, ['amount', 'currency']],
    ['referToPayment', { ...entity, paymentType: 'RF', amount: '1.00' }, ['currency']],
    ['referToPayment', { ...entity, paymentType: 'RF', amount: '1.00', currency: 'EUR' }, []],
    ['referToPayment', { ...entity, paymentType: 'RB' }, ['amount', 'currency']],
    ['referToPayment', { ...entity, paymentType: 'PA' }, ['amount', 'currency']],
    ['referToPayment', { ...entity, paymentType: 'CB' }, ['amount', 'currency']],
    ['referToPayment', { ...entity, paymentType: 'CR' }, ['amount', 'currency']],
    ['referToPayment', { ...entity, paymentType: 'RC' }, ['amount', 'currency']],
    ['referToPayment', { ...entity, paymentType: 'IV' }, []],
    ['referToPayment', { ...entity, paymentType: 'RV' }, []],
  ],
  'checkout-amount': [
    ['createCheckout', entity, ['amount', 'currency', 'paymentType']],
    ['createCheckout', { ...entity, createRegistration: 'true' }, []],
    ['createCheckout', { ...entity, createRegistration: 'true', amount: '1.00' }, ['currency', 'paymentType']],
    ['createCheckout', debit, []],
  ],
  'brand-or-card': [
    ['createPayment', debit, ['paymentBrand']],
    ['createPayment', { ...debit, 'virtualAccount.accountId': 'a' }, ['paymentBrand']],
    ['createRegistration', entity, ['paymentBrand']],
    ['createPayment', card, []],
    ['createPayment', { ...debit, ...token }, ['paymentBrand']],
    ['createPayment', { ...debit, ...token, 'card.holder': 'Jane' }, ['paymentBrand']],
    ['createPayment', { ...debit, ...token, paymentBrand: 'VISA' }, []],
    ['createPayment', { ...card, 'card.numberType': 'DPAN' }, ['paymentBrand']],
    ['createPayment', { ...card, 'card.numberType': 'PAN' }, []],
    ['createPayment', { ...debit, ...terminal }, ['paymentBrand']],
    ['createPayment', { ...debit, ...terminal, 'pos.encryptedSred.data': 'A1' }, ['paymentBrand']],
    [
      'createPayment',
      { ...debit, ...terminal, 'pos.encryptedSred.data': 'A1', 'card.holder': 'J J' },
      ['paymentBrand'],
    ],
    ['createPayment', { ...card, ...terminal }, []],
    ['createPayment', { ...debit, 'walletA.paymentToken': '{}' }, []],
    ['createPayment', { ...card, ...proof, 'card.numberType': 'DPAN', 'walletA.source': 'web' }, []],
    ['payWithRegistration', debit, []],
  ],
  'forex-pair': [
    ['createPayment', { ...card, 'forex.amount': '1.00' }, ['forex.currency']],
    ['createPayment', { ...card, 'forex.currency': 'EUR' }, ['forex.amount']],
    ['createPayment', { ...card, 'forex.amount': '1.00', 'forex.currency': 'EUR' }, []],
  ],
  'card-structure': [
    ['createPayment', { ...debit, 'card.holder': 'Jane' }, ['card.number', 'card.expiryMonth', 'card.expiryYear']],
    ['createPayment', { ...debit, paymentBrand: 'VISA' }, ['card.number', 'card.expiryMonth', 'card.expiryYear']],
    ['createRegistration', { ...entity, ...without(cardData, 'card.expiryYear') }, ['card.expiryYear']],
    ['createPayment', { ...debit, 'walletB.paymentToken': '{}', 'card.holder': 'Jane' }, []],
    ['payWithRegistration', { ...debit, 'card.cvv': '123' }, []],
    ['createPayment', { ...debit, paymentBrand: 'VISA', ...terminal, 'pos.encryptedSred.data': 'A1' }, []],
    [
      'createPayment',
      { ...without(card, 'card.expiryYear'), ...terminal, 'pos.encryptedSred.data': 'A1' },
      ['card.expiryYear'],
    ],
  ],
  'gift-card-structure': [
    ['createPayment', { ...debit, paymentBrand: 'HEB_GIFT_CARD' }, ['giftCard.number']],
    ['createRegistration', { ...entity, paymentBrand: 'HEB_GIFT_CARD', 'giftCard.pin': '1234' }, ['giftCard.number']],
    ['createPayment', { ...debit, paymentBrand: 'HEB_GIFT_CARD', 'giftCard.number': '1234' }, []],
    ['createPayment', { ...card, 'giftCard.message': 'Enjoy' }, []],
    ['payWithRegistration', { ...debit, paymentBrand: 'HEB_GIFT_CARD' }, []],
  ],
  'wallet-mode': [
    ['createPayment', { ...debit, 'walletA.cardType': 'debit' }, ['walletA.paymentToken']],
    ['createPayment', { ...card, 'walletC.paymentToken': '{}' }, ['walletC.paymentToken']],
    ['createPayment', { ...debit, 'walletA.paymentToken': '{}', 'walletA.source': 'web' }, []],
    ['createPayment', { ...card, ...proof, 'walletA.source': 'web' }, []],
  ],
  'wallet-card': [
    [
      'createPayment',
      { ...debit, ...proof, 'walletB.source': 'app' },
      ['card.number', 'card.expiryMonth', 'card.expiryYear'],
    ],
    ['createPayment', { ...card, ...proof, 'walletA.cardNetwork': 'Visa' }, ['walletA.source']],
  ],
  'wallet-source': [
    ['createPayment', { ...card, ...proof, paymentBrand: 'APPLEPAY' }, ['walletA.source']],
    ['createPayment', { ...card, ...proof, paymentBrand: 'GOOGLEPAYTKN' }, ['walletB.source']],
    ['createRegistration', { ...entity, ...cardData, paymentBrand: 'SAMSUNGPAY' }, ['walletC.source']],
    ['createPayment', { ...card, ...proof, paymentBrand: 'APPLEPAY', 'walletA.source': 'app' }, []],
    ['createPayment', { ...card, ...terminal, paymentBrand: 'APPLEPAY' }, []],
    ['createPayment', { ...card, paymentBrand: 'VISA' }, []],
  ],
  'wallet-proof': [
    ['createPayment', { ...card, 'walletB.source': 'app' }, ['threeDSecure.eci', 'threeDSecure.verificationId']],
    ['createPayment', { ...card, ...proof, 'walletB.source': 'app' }, []],
  ],
  'account-structures': [
    [
      'createPayment',
      { ...debit, ...without(token, 'tokenAccount.type'), paymentBrand: 'VISA' },
      ['tokenAccount.type'],
    ],
    ['createPayment', { ...card, 'pos.entryMode': 'ICC' }, ['pos.terminalId']],
    [
      'createRegistration',
      { ...entity, ...cardData, 'recurringMigration.amount': '1' },
      ['recurringMigration.paymentType'],
    ],
    ['referToPayment', { ...entity, paymentType: 'RV', 'pos.entryMode': 'ICC' }, []],
  ],
  'bank-account-structure': [
    [
      'createPayment',
      { ...without(bank, 'bankAccount.holder'), 'bankAccount.iban': 'DE89370400440532013000' },
      ['bankAccount.holder'],
    ],
    ['createPayment', { ...debit, paymentBrand: 'IDEAL', 'bankAccount.bankName': 'Bank' }, []],
  ],
  'bank-account-number': [
    ['createPayment', { ...bank, 'bankAccount.bic': 'DEUTDEFF' }, ['bankAccount.number', 'bankAccount.iban']],
    ['createPayment', { ...bank, 'bankAccount.bic': 'DEUTDEFF', 'bankAccount.number': '1234' }, []],
    ['createPayment', { ...debit, paymentBrand: 'EPS', 'bankAccount.bic': 'DEUTDEFF' }, []],
  ],
  'bank-code': [
    ['createPayment', { ...bank, 'bankAccount.number': '1234' }, ['bankAccount.bankCode', 'bankAccount.bic']],
    [
      'createPayment',
      { ...bank, 'bankAccount.iban': 'BR1500000000000010932840814P2' },
      ['bankAccount.bankCode', 'bankAccount.bic'],
    ],
    [
      'createPayment',
      { ...bank, paymentBrand: 'CLIQ', 'bankAccount.iban': 'JO94CBJO0010000000000131000302' },
      ['bankAccount.bankCode', 'bankAccount.bic'],
    ],
    [
      'createPayment',
      {
        ...bank,
        paymentBrand: 'CLIQ',
        'bankAccount.iban': 'JO94CBJO0010000000000131000302',
        'bankAccount.bic': 'CBJOJOAX',
      },
      [],
    ],
    [
      'createPayment',
      { ...bank, 'bankAccount.number': 'DE89370400440532013000' },
      ['bankAccount.bankCode', 'bankAccount.bic'],
    ],
    [
      'updateRegistration',
      { ...entity, 'bankAccount.iban': 'BR1500000000000010932840814P2' },
      ['bankAccount.bankCode', 'bankAccount.bic'],
    ],
    ['updateRegistration', { ...entity, 'bankAccount.iban': 'DE89370400440532013000' }, []],
    ['updateRegistration', { ...entity, 'bankAccount.holder': 'Jane Doe' }, []],
    ['createPayment', { ...bank, 'bankAccount.iban': 'de89370400440532013000' }, []],
    ['createPayment', { ...bank, 'bankAccount.number': '1234', 'bankAccount.bankCode': '37040044' }, []],
  ],
  'customer-name': [
    ['createPayment', { ...card, 'customer.ip': '203.0.113.7' }, ['customer.givenName', 'customer.surname']],
    ['createPayment', { ...card, 'customer.givenName': 'Jane' }, ['customer.surname']],
    ['createPayment', { ...card, 'shipping.customer.givenName': 'Jane' }, []],
  ],
  'identification-document': [
    [
      'createPayment',
      { ...card, ...browser, 'customer.identificationDocType': 'PASSPORT' },
      ['customer.identificationDocId'],
    ],
    [
      'createPayment',
      { ...card, ...browser, 'customer.identificationDocId': '12345678' },
      ['customer.identificationDocType'],
    ],
    [
      'createPayment',
      { ...card, 'shipping.customer.identificationDocId': '12345678' },
      ['shipping.customer.identificationDocType'],
    ],
    [
      'createPayment',
      { ...card, ...browser, 'customer.identificationDocId': '12345678', 'customer.identificationDocType': 'IDCARD' },
      [],
    ],
  ],
  'house-number': [
    ['createPayment', { ...card, 'billing.houseNumber2': 'b' }, ['billing.houseNumber1']],
    ['createPayment', { ...card, 'merchant.shipping.houseNumber2': 'b' }, ['merchant.shipping.houseNumber1']],
    ['createPayment', { ...card, 'shipping.houseNumber1': '1', 'shipping.houseNumber2': 'b' }, []],
  ],
  'street-name': [
    [
      'createPayment',
      { ...card, 'billing.street1': '12', 'billing.street2': '34' },
      ['billing.street1', 'billing.street2'],
    ],
    ['createPayment', { ...card, 'billing.street1': '12' }, ['billing.street1']],
    ['createPayment', { ...card, 'merchant.billing.street1': '1' }, ['merchant.billing.street1']],
    [
      'createPayment',
      { ...card, 'billing.street1': '12', 'billing.street2': 'a', 'billing.houseNumber1': '1' },
      ['billing.street1'],
    ],
    ['createPayment', { ...card, 'billing.street1': 'Main Street', 'billing.street2': '34' }, []],
    ['createPayment', { ...card, 'billing.street1': '12', 'billing.street2': 'b' }, []],
  ],
  'seller-amount': [
    ['createPayment', { ...card, ...sold(['a', '1.00'], ['b', '2.00'], ['a', '0.50']), ...sellers(['a', '1.50']) }, []],
    [
      'createPayment',
      { ...card, ...sold(['a', '1.00'], ['b', '2.00'], ['a', '0.50']), ...sellers(['b', '2.00'], ['a', '1.00']) },
      ['marketPlace.sellers[1].amount'],
    ],
    [
      'payWithRegistration',
      { ...debit, ...sold(['a', '1.00']), ...sellers(['a', '0.50'], ['a', '0.50']) },
      ['marketPlace.sellers[0].amount', 'marketPlace.sellers[1].amount'],
    ],
    // Exact where sums of floating point are not: 0.1 + 0.2.
    ['createPayment', { ...card, ...sold(['a', '0.10'], ['a', '0.20']), ...sellers(['a', '0.30']) }, []],
    // What does not say enough is not wrong.
    ['createPayment', { ...card, ...sellers(['a', '1.00']) }, []],
    ['createPayment', { ...card, ...sold(['b', '1.00']), ...sellers(['a', '2.00']) }, []],
    ['createPayment', { ...card, 'cart.items[7].sellerId': 'a', ...sellers(['a', '2.00']) }, []],
    ['createPayment', { ...card, ...sold(['a', '1.00']), 'marketPlace.sellers[0].id': 'a' }, []],
  ],
  'authentication-browser': [
    ['createPayment', without(authentication, ...browserNames), browserNames],
    ['createPayment', without(authentication, 'customer.browser.timezone'), ['customer.browser.timezone']],
    ['createPayment', authentication, []],
    // Neither a plain payment, nor one of an app, of an external server or of the merchant.
    ['createPayment', { ...card, ...without(browser, 'customer.browser.timezone') }, []],
    ['createPayment', { ...without(authentication, ...browserNames), 'threeDSecure.deviceInfo': 'x' }, []],
    ['createPayment', { ...without(authentication, ...browserNames), ...proof }, []],
    ['createPayment', { ...without(authentication, ...browserNames), 'threeDSecure.threeRIInd': 'RECURRING' }, []],
    ['createCheckout', { ...debit, 'threeDSecure.authenticationInd': 'PAYMENT' }, []],
  ],
  'authentication-billing': [
    [
      'createPayment',
      without(authentication, 'billing.city', 'billing.postcode'),
      ['billing.city', 'billing.postcode'],
    ],
    ['payWithRegistration', { ...debit, ...browser, 'threeDSecure.npa': 'true' }, Object.keys(billing)],
    [
      'createPayment',
      {
        ...without(authentication, 'billing.city', 'billing.postcode'),
        'customParameters[3DS2_billingUnavailable]': 'postcode,city',
      },
      [],
    ],
    [
      'createPayment',
      {
        ...without(authentication, 'billing.city', 'billing.postcode'),
        'customParameters[3DS2_billingUnavailable]': 'postcode',
      },
      ['billing.city'],
    ],
    ['createPayment', { ...card, 'customParameters[3DS2_billingUnavailable]': 'postcode' }, []],
  ],
  'authentication-proof': [
    ['createPayment', { ...card, 'threeDSecure.verificationId': 'A'.repeat(28) }, ['threeDSecure.eci']],
    ['createPayment', { ...card, 'threeDSecure.eci': '02' }, ['threeDSecure.verificationId']],
    ['createPayment', { ...card, 'threeDSecure.eci': '07' }, []],
    ['createPayment', { ...card, ...proof }, []],
  ],
  'exemption-version': [
    [
      'createPayment',
      { ...card, 'threeDSecure.exemptionFlag': '01', 'threeDSecure.version': '2.1.0' },
      ['threeDSecure.version'],
    ],
    [
      'createPayment',
      { ...card, 'threeDSecure.challengeIndicator': '02', 'threeDSecure.version': '1.0' },
      ['threeDSecure.version'],
    ],
    ['createPayment', { ...card, 'threeDSecure.exemptionFlag': '01', 'threeDSecure.version': '2.2.0' }, []],
    ['createPayment', { ...card, 'threeDSecure.exemptionFlag': '01', 'threeDSecure.version': '2.10' }, []],
    ['createPayment', { ...card, 'threeDSecure.exemptionFlag': '01' }, []],
    ['createPayment', { ...card, 'threeDSecure.version': '2.1.0' }, []],
  ],
  'shopper-custom-parameters': [
    ['payCheckout', { 'customParameters[note]': 'x' }, ['customParameters[note]']],
    ['registerCheckout', { 'customParameters[SHOPPER]': 'x' }, ['customParameters[SHOPPER]']],
    ['payCheckout', { 'customParameters[SHOPPER_note]': 'x' }, []],
    ['createCheckout', { ...debit, 'customParameters[note]': 'x' }, []],
  ],
  'scheme-use-case': [
    [
      'createPayment',
      { ...card, 'threeDSecure.schemeData[CB-ITEMSNB]': '01' },
      ['threeDSecure.schemeData[CB-USECASE]'],
    ],
    [
      'createPayment',
      {
        ...authentication,
        'threeDSecure.schemeData[CB-ITEMSNB]': '01',
        'threeDSecure.npa': 'true',
        'threeDSecure.authenticationInd': 'RECURRING',
      },
      ['threeDSecure.schemeData[CB-USECASE]'],
    ],
    [
      'createPayment',
      { ...authentication, 'threeDSecure.schemeData[CB-ITEMSNB]': '01', 'threeDSecure.npa': 'true' },
      [],
    ],
    ['createPayment', { ...card, ...proof, 'threeDSecure.schemeData[CB-ITEMSNB]': '01' }, []],
    ['createPayment', card, []],
  ],
  'stored-account': [
    ['payWithRegistration', card, ['card.number']],
    ['payWithRegistration', { ...debit, 'bankAccount.iban': 'DE89370400440532013000' }, ['bankAccount.iban']],
    ['payWithRegistration', { ...debit, 'card.cvv': '123', 'card.holder': 'Jane Jones' }, []],
    ['referToPayment', { ...rebill, ...cardData }, ['card.number']],
    ['referToPayment', { ...rebill, paymentType: 'RF', ...cardData }, []],
    ['createPayment', card, []],
    ['updateRegistration', { ...entity, ...cardData }, []],
  ],
  'standing-instruction-kind': [
    [
      'createPayment',
      { ...card, 'standingInstruction.mode': 'INITIAL' },
      ['standingInstruction.type', 'standingInstruction.source'],
    ],
    ['createPayment', { ...card, ...instruction('RECURRING', 'INITIAL', 'CIT') }, []],
    ['createPayment', { ...card, 'standingInstruction.frequency': '30' }, []],
    ['payWithRegistration', { ...debit, 'standingInstruction.recurringType': 'SUBSCRIPTION' }, KIND],
    ['payWithRegistration', { ...debit, 'standingInstruction.industryPractice': 'NO_SHOW' }, KIND],
    ['referToPayment', { ...entity, paymentType: 'RV', 'standingInstruction.mode': 'INITIAL' }, []],
  ],
  'initial-transaction': [
    [
      'createPayment',
      { ...card, ...instruction('UNSCHEDULED', 'REPEATED', 'MIT') },
      ['standingInstruction.initialTransactionId'],
    ],
    ['createPayment', { ...card, ...instruction('UNSCHEDULED', 'REPEATED', 'CIT') }, []],
    [
      'createPayment',
      { ...bank, 'bankAccount.iban': 'DE89370400440532013000', ...instruction('RECURRING', 'REPEATED', 'MIT') },
      [],
    ],
    ['payWithRegistration', { ...debit, ...instruction('UNSCHEDULED', 'REPEATED', 'MIT') }, []],
  ],
  'rebill-instruction': [
    [
      'referToPayment',
      { ...rebill, ...instruction('RECURRING', 'INITIAL', 'CIT') },
      ['standingInstruction.mode', 'standingInstruction.source'],
    ],
    ['referToPayment', { ...rebill, ...instruction('RECURRING', 'REPEATED', 'MIT') }, []],
    ['referToPayment', { ...rebill, 'standingInstruction.industryPractice': 'NO_SHOW' }, []],
  ],
  'industry-practice': [
    [
      'payWithRegistration',
      { ...debit, ...instruction('RECURRING', 'INITIAL', 'CIT'), 'standingInstruction.industryPractice': 'NO_SHOW' },
      ['standingInstruction.type', 'standingInstruction.mode', 'standingInstruction.source'],
    ],
    [
      'payWithRegistration',
      { ...debit, ...instruction('UNSCHEDULED', 'REPEATED', 'MIT'), 'standingInstruction.industryPractice': 'NO_SHOW' },
      [],
    ],
  ],
  'identification-of-brand': [
    [
      'createPayment',
      { ...debit, paymentBrand: 'BOLETO' },
      ['customer.identificationDocType', 'customer.identificationDocId'],
    ],
    [
      'createPayment',
      {
        ...debit,
        paymentBrand: 'EFECTY',
        'customer.givenName': 'Jane',
        'customer.surname': 'Jones',
        'customer.identificationDocType': 'IDCARD',
        'customer.identificationDocId': '12345678',
      },
      [],
    ],
    ['createPayment', { ...debit, paymentBrand: 'OXXO' }, []],
    ['referToPayment', { ...entity, paymentType: 'RF', amount: '1.00', currency: 'EUR', paymentBrand: 'BOLETO' }, []],
  ],
  'screening-ids': [
    [
      'createRedShieldCheck',
      { ...entity, amount: '92.00', currency: 'EUR', 'risk.channelId': 'TEASHOP', 'risk.serviceId': 'AB' },
      ['risk.channelId', 'risk.serviceId'],
    ],
    [
      'createRedShieldCheck',
      { ...entity, amount: '92.00', currency: 'EUR', 'risk.channelId': 'TEASHOP00EU1', 'risk.serviceId': 'B' },
      [],
    ],
    ['createRiskCheck', { ...entity, amount: '92.00', currency: 'EUR', 'risk.channelId': 'TEASHOP' }, []],
  ],
  'authentication-installments': [
    [
      'createPayment',
      { ...authentication, ...instruction('INSTALLMENT', 'INITIAL', 'CIT') },
      ['standingInstruction.expiry', 'standingInstruction.frequency', 'standingInstruction.numberOfInstallments'],
    ],
    [
      'createPayment',
      {
        ...authentication,
        ...instruction('INSTALLMENT', 'INITIAL', 'CIT'),
        'standingInstruction.numberOfInstallments': '3',
        'standingInstruction.frequency': '30',
        'standingInstruction.expiry': '2034-05-31',
      },
      [],
    ],
    ['createPayment', { ...card, ...instruction('INSTALLMENT', 'INITIAL', 'CIT') }, []],
  ],
  'plan-secrets': [
    ['createSchedule', { ...plan, 'card.cvv': '123' }, ['card.cvv']],
    ['reschedule', { ...entity, 'giftCard.pin': '1234' }, ['giftCard.pin']],
    ['createSchedule', { ...plan, 'card.holder': 'Jane Jones' }, []],
    ['payWithRegistration', { ...debit, 'card.cvv': '123' }, []],
  ],
  'date-range': [
    ['queryPayments', { 'date.from': '2024-01-01 00:00:00' }, ['date.to']],
    ['queryPayments', { 'date.to': '2024-01-01 00:00:00' }, ['date.from']],
  ],
  'date-order': [
    ['queryPayments', { 'date.from': '2024-01-02 00:00:00', 'date.to': '2024-01-01 00:00:00' }, ['date.to']],
    ['getReport', { 'date.from': '2024-01-02', 'date.to': '2024-01-01' }, ['date.to']],
    ['getReport', { 'date.from': '2024-01-02', 'date.to': '2024-01-02' }, []],
  ],
  'reference-or-range': [
    [
      'queryPayments',
      { merchantTransactionId: 'a', 'date.from': '2024-01-01 00:00:00', 'date.to': '2024-01-02 00:00:00' },
      ['merchantTransactionId'],
    ],
    ['queryPayments', { 'date.from': '2024-01-01 00:00:00', 'date.to': '2024-01-02 00:00:00' }, []],
  ],
}

test('every rule has a case that breaks it, and no case is of another', () => {
  expect(Object.keys(table).toSorted()).toEqual(rules.map(({ name }) => name).toSorted())
  for (const [name, cases] of Object.entries(table))
    expect([name, cases.some(([, , wrong]) => wrong.length > 0)]).toEqual([name, true])
})

test('rules blame parameters that exist', () => {
  const unknown = rules
    .flatMap(({ blames }) => blames)
    .map((name) => name.replace('[n]', '[0]'))
    .filter((name) => !knownName('payment', name) && !knownName('query', name))
  expect(unknown).toEqual([])
})

test('rules speak of structures that exist', () => {
  const words = new Set(sections.flatMap(({ rows }) => rows).map(({ name }) => name.split(/[.[]/)[0]))
  expect(rules.flatMap(({ structures = [] }) => structures).filter((word) => !words.has(word))).toEqual([])
})

describe.each(rules)('$name: $sentence', ({ name, legacy, blames }) => {
  test.each(table[name] ?? [])('%s %j', (operation, parameters, wrong) => {
    const find = (compatibility: 'strict' | 'legacy') => {
      const body = new TextEncoder().encode(new URLSearchParams(parameters).toString())
      const form = decodeForm(body, operations[operation].surface)
      return checkForm(form, operation, { compatibility }).map((error) => error.name)
    }
    expect(find('strict').toSorted()).toEqual(wrong.toSorted())
    const isBlamed = (each: string) => [each, each.replace(/\[\d+\]/, '[n]'), each.replace(/\[.*\]/, '[name]')]
    expect(wrong.filter((each) => !blames.some((blamed) => isBlamed(each).includes(blamed)))).toEqual([])
    expect(find('legacy').toSorted()).toEqual(legacy ? wrong.toSorted() : [])
  })
})
