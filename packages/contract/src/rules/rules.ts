import * as account from './account.ts'
import * as address from './address.ts'
import * as basicPayment from './basic-payment.ts'
import { shopperCustomParameters } from './checkout.ts'
import * as customer from './customer.ts'
import * as dates from './dates.ts'
import { sellerAmount } from './marketplace.ts'
import { screeningIds } from './risk.ts'
import type { Rule } from './rule.ts'
import { planSecrets } from './schedule.ts'
import * as standingInstruction from './standing-instruction.ts'
import * as threeDSecure from './three-d-secure.ts'
import * as wallets from './wallets.ts'

/** Every rule by its name, in the order of the contract. */
export const rules: Readonly<Record<string, Rule>> = {
  'reference-amount': basicPayment.referenceAmount,
  'checkout-amount': basicPayment.checkoutAmount,
  'brand-or-card': account.brandOrCard,
  'forex-pair': basicPayment.forexPair,
  'card-structure': account.cardStructure,
  'gift-card-structure': account.giftCardStructure,
  'wallet-mode': wallets.walletMode,
  'wallet-card': wallets.walletCard,
  'wallet-source': wallets.walletSource,
  'wallet-proof': wallets.walletProof,
  'account-structures': account.accountStructures,
  'stored-account': account.storedAccount,
  'bank-account-structure': account.bankAccountStructure,
  'bank-account-number': account.bankAccountNumber,
  'bank-code': account.bankCode,
  'customer-name': customer.customerName,
  'identification-document': customer.identificationDocument,
  'identification-of-brand': customer.identificationOfBrand,
  'authentication-browser': threeDSecure.authenticationBrowser,
  'authentication-billing': threeDSecure.authenticationBilling,
  'house-number': address.houseNumber,
  'street-name': address.streetName,
  'seller-amount': sellerAmount,
  'authentication-proof': threeDSecure.authenticationProof,
  'exemption-version': threeDSecure.exemptionVersion,
  'scheme-use-case': threeDSecure.schemeUseCase,
  'shopper-custom-parameters': shopperCustomParameters,
  'screening-ids': screeningIds,
  'standing-instruction-kind': standingInstruction.standingInstructionKind,
  'initial-transaction': standingInstruction.initialTransaction,
  'rebill-instruction': standingInstruction.rebillInstruction,
  'industry-practice': standingInstruction.industryPractice,
  'authentication-installments': threeDSecure.authenticationInstallments,
  'plan-secrets': planSecrets,
  'date-range': dates.dateRange,
  'date-order': dates.dateOrder,
  'report-range': dates.reportRange,
  'reference-or-range': dates.referenceOrRange,
}
