import { billing, browser, card, debit, instruction, proof, omit, type RuleCases } from './rule-requests.ts'

const authentication = { ...card, ...browser, ...billing, 'threeDSecure.authenticationInd': 'PAYMENT' }
const browserNames = Object.keys(browser).filter((name) => name.startsWith('customer.browser'))

export const authenticationCases: RuleCases = {
  'authentication-browser': [
    ['createPayment', omit(authentication, ...browserNames), browserNames],
    ['createPayment', omit(authentication, 'customer.browser.timezone'), ['customer.browser.timezone']],
    ['createPayment', authentication, []],
    // Browser data are optional without authentication parameters, in an app, with a proof, for 3RI, and in a checkout.
    ['createPayment', { ...card, ...omit(browser, 'customer.browser.timezone') }, []],
    ['createPayment', { ...omit(authentication, ...browserNames), 'threeDSecure.deviceInfo': 'x' }, []],
    ['createPayment', { ...omit(authentication, ...browserNames), ...proof }, []],
    ['createPayment', { ...omit(authentication, ...browserNames), 'threeDSecure.threeRIInd': 'RECURRING' }, []],
    ['createCheckout', { ...debit, 'threeDSecure.authenticationInd': 'PAYMENT' }, []],
  ],
  'authentication-billing': [
    ['createPayment', omit(authentication, 'billing.city', 'billing.postcode'), ['billing.city', 'billing.postcode']],
    ['payWithRegistration', { ...debit, ...browser, 'threeDSecure.npa': 'true' }, Object.keys(billing)],
    [
      'createPayment',
      {
        ...omit(authentication, 'billing.city', 'billing.postcode'),
        'customParameters[3DS2_billingUnavailable]': 'postcode,city',
      },
      [],
    ],
    [
      'createPayment',
      {
        ...omit(authentication, 'billing.city', 'billing.postcode'),
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
}
