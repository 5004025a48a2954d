import { airline } from './parameters/airline.ts'
import { asynchronousPayments } from './parameters/asynchronous-payments.ts'
import { authentication } from './parameters/authentication.ts'
import { bankAccount } from './parameters/bank-account.ts'
import { basicPayment } from './parameters/basic-payment.ts'
import { billingAddress } from './parameters/billing-address.ts'
import { cardAccount } from './parameters/card-account.ts'
import { cardOnFile } from './parameters/card-on-file.ts'
import { cartItems } from './parameters/cart-items.ts'
import { cartPayments } from './parameters/cart-payments.ts'
import { chargeback } from './parameters/chargeback.ts'
import { corporate } from './parameters/corporate.ts'
import { customParameters } from './parameters/custom-parameters.ts'
import { customer } from './parameters/customer.ts'
import { giftCard } from './parameters/gift-card.ts'
import { installments } from './parameters/installments.ts'
import { marketplace } from './parameters/marketplace.ts'
import { merchant } from './parameters/merchant.ts'
import { mobileWallets } from './parameters/mobile-wallets.ts'
import { paging } from './parameters/paging.ts'
import { pointOfSale } from './parameters/point-of-sale.ts'
import { query } from './parameters/query.ts'
import { recipient } from './parameters/recipient.ts'
import { recurringMigration } from './parameters/recurring-migration.ts'
import { registrationReference } from './parameters/registration-reference.ts'
import { reporting } from './parameters/reporting.ts'
import { reports } from './parameters/reports.ts'
import { risk } from './parameters/risk.ts'
import { scheduling } from './parameters/scheduling.ts'
import { sender } from './parameters/sender.ts'
import { shippingAddress } from './parameters/shipping-address.ts'
import { threeDSecure } from './parameters/three-d-secure.ts'
import { tokenAccount } from './parameters/token-account.ts'
import { tokenization } from './parameters/tokenization.ts'
import { virtualAccount } from './parameters/virtual-account.ts'
import type { Section } from './row.ts'

const contractSections = [
  basicPayment,
  authentication,
  cardAccount,
  mobileWallets,
  virtualAccount,
  bankAccount,
  tokenAccount,
  customer,
  billingAddress,
  shippingAddress,
  corporate,
  sender,
  recipient,
  merchant,
  cartItems,
  cartPayments,
  marketplace,
  airline,
  tokenization,
  recurringMigration,
  threeDSecure,
  customParameters,
  asynchronousPayments,
  pointOfSale,
  giftCard,
  risk,
  scheduling,
  cardOnFile,
  chargeback,
  reporting,
  query,
] as const

const otherSections = [registrationReference, paging, reports, installments] as const

/** The name of a row, such as `amount` or `cart.items[n].name`. */
export type RowName = (typeof contractSections | typeof otherSections)[number]['rows'][number]['name']

/** Every table of the contract's parameter document, in the order of the document. */
export const sections: readonly Section<RowName>[] = contractSections

/** Parameters that clients of this wire format send, but the contract does not list. */
export const furtherSections: readonly Section<RowName>[] = otherSections
