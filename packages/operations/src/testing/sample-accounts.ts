import type { Parameters, TestAnswer, TestGateway } from '@tollgate/gateway/testing'
import { money, registrationRequests, type RegistrationRequests } from './registration-requests.ts'

export const APPROVED = [200, '000.100.110']

export const cardWithoutBrand = {
  'card.number': '4200000000000000',
  'card.holder': 'Jane Jones',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
  'card.cvv': '123',
}
export const card = { ...cardWithoutBrand, paymentBrand: 'VISA' }
export const merchantInitiated = {
  'standingInstruction.type': 'UNSCHEDULED',
  'standingInstruction.mode': 'REPEATED',
  'standingInstruction.source': 'MIT',
  'standingInstruction.initialTransactionId': '123456789012345',
}
export const cryptogram = 'AgAAAAAABk4DWZ4C28yUQAAAAAA='
export const proof = { 'threeDSecure.eci': '05', 'threeDSecure.verificationId': 'AAACAgSRBklmQCFgMpEGAAAAAAA=' }
export const virtualAccount = { paymentBrand: 'PAYPAL', 'virtualAccount.accountId': 'shopper@wallet.example' }
export const tokenAccount = {
  paymentBrand: 'VISA',
  'tokenAccount.number': '4895370000000007',
  'tokenAccount.type': 'NETWORK',
  'tokenAccount.expiryMonth': '05',
  'tokenAccount.expiryYear': '2034',
}
export const networkToken = { ...tokenAccount, 'tokenAccount.cryptogram': cryptogram }
export const externalToken = {
  ...tokenAccount,
  'tokenAccount.number': '4895370000000008',
  'tokenAccount.type': 'EXTERNAL',
}
export const giftCard = {
  paymentBrand: 'HEB_GIFT_CARD',
  'giftCard.number': '6006490000000012',
  'giftCard.pin': '1234',
  'giftCard.holder': 'Jane Jones',
  'giftCard.message': 'Enjoy',
  'giftCard.type': 'BIRTHDAY',
}
export const bankAccount = {
  paymentBrand: 'DIRECTDEBIT_SEPA',
  'bankAccount.holder': 'Jane Jones',
  'bankAccount.iban': 'DE89370400440532013000',
  'bankAccount.mandate.id': 'MANDATE-A',
  'bankAccount.mandate.dateOfSignature': '2026-05-04',
}
/** Replaces the number of a card by a device account number (DPAN), which has no cvv. */
export const deviceNumber = { 'card.number': '4895370000000007', 'card.cvv': undefined }
export const terminalParameters = { 'pos.entryMode': 'ICC', 'pos.terminalId': '42' }
export const encryptedCard = {
  paymentBrand: 'VISA',
  ...terminalParameters,
  'pos.encryptedSred.data': 'E5ED1C0DE5ED1C0D',
  'pos.encryptedSred.ksn': 'FFFF9876543210E00001',
  'pos.encryptedPin.data': 'D1A1D1A1D1A1D1A1',
  'pos.encryptedPin.ksn': 'FFFF9876543210E00001',
  'pos.iccDataRequest': '9F2608C0FFEE00C0FFEE00',
}
/** The fields of a card that answers contain, except its digits. */
export const shownCard = { holder: 'Jane Jones', expiryMonth: '05', expiryYear: '2034' }
/** The fields of a card with a device account number that answers contain. */
export const shownDevice = { last4Digits: '0007', ...shownCard, numberType: 'DPAN' }

/** The accounts of an answer, without the facts that the acquirer adds: issuer, type, level and regulatedFlag. */
export function shownAccountsOf({ body }: TestAnswer, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    names.map((name) => {
      const { issuer: _issuer, level: _level, regulatedFlag: _flag, ...shownFields } = body[name]
      if (name === 'card') delete shownFields.type
      return [name, shownFields]
    }),
  )
}

/** Requests that pay with an account, store it, or refer to a payment. */
export interface AccountRequests extends RegistrationRequests {
  readonly pay: (account: Parameters, changes?: Parameters) => Promise<TestAnswer>
  readonly followUp: (id: string, paymentType: string) => Promise<TestAnswer>
}

export const accountRequests = ({ send }: TestGateway): AccountRequests => ({
  ...registrationRequests({ send }),
  pay: (account, changes) => send('POST', '/v1/payments', { ...money, paymentType: 'DB', ...account, ...changes }),
  followUp: (id, paymentType) => send('POST', `/v1/payments/${id}`, { ...money, paymentType }),
})
