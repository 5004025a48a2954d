import { bank, card, cardData, debit, entity, proof, rebill, omit, type RuleCases } from './rule-requests.ts'

const token = { 'tokenAccount.number': '420000000000', 'tokenAccount.type': 'NETWORK' }
const terminal = { 'pos.entryMode': 'ICC', 'pos.terminalId': '42' }

export const accountCases: RuleCases = {
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
  'card-structure': [
    ['createPayment', { ...debit, 'card.holder': 'Jane' }, ['card.number', 'card.expiryMonth', 'card.expiryYear']],
    ['createPayment', { ...debit, paymentBrand: 'VISA' }, ['card.number', 'card.expiryMonth', 'card.expiryYear']],
    ['createRegistration', { ...entity, ...omit(cardData, 'card.expiryYear') }, ['card.expiryYear']],
    ['createPayment', { ...debit, 'walletB.paymentToken': '{}', 'card.holder': 'Jane' }, []],
    ['payWithRegistration', { ...debit, 'card.cvv': '123' }, []],
    ['createPayment', { ...debit, paymentBrand: 'VISA', ...terminal, 'pos.encryptedSred.data': 'A1' }, []],
    [
      'createPayment',
      { ...omit(card, 'card.expiryYear'), ...terminal, 'pos.encryptedSred.data': 'A1' },
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
    ['createPayment', { ...debit, ...omit(token, 'tokenAccount.type'), paymentBrand: 'VISA' }, ['tokenAccount.type']],
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
      { ...omit(bank, 'bankAccount.holder'), 'bankAccount.iban': 'DE89370400440532013000' },
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
  'stored-account': [
    ['payWithRegistration', card, ['card.number']],
    ['payWithRegistration', { ...debit, 'bankAccount.iban': 'DE89370400440532013000' }, ['bankAccount.iban']],
    ['payWithRegistration', { ...debit, 'card.cvv': '123', 'card.holder': 'Jane Jones' }, []],
    ['referToPayment', { ...rebill, ...cardData }, ['card.number']],
    ['referToPayment', { ...rebill, paymentType: 'RF', ...cardData }, []],
    ['createPayment', card, []],
    ['updateRegistration', { ...entity, ...cardData }, []],
  ],
}
