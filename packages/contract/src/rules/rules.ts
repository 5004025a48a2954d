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

/** Every rule that involves more than one parameter, in the order of the contract. */
export const rules: readonly Rule[] = [
  basicPayment.referenceAmount,
  basicPayment.checkoutAmount,
  account.brandOrCard,
  basicPayment.forexPair,
  account.cardStructure,
  account.giftCardStructure,
  wallets.walletMode,
  wallets.walletCard,
  wallets.walletSource,
  wallets.walletProof,
  account.accountStructures,
  account.storedAccount,
  account.bankAccountStructure,
  account.bankAccountNumber,
  account.bankCode,
  customer.customerName,
  customer.identificationDocument,
  customer.identificationOfBrand,
  threeDSecure.authenticationBrowser,
  threeDSecure.authenticationBilling,
  address.houseNumber,
  address.streetName,
  sellerAmount,
  threeDSecure.authenticationProof,
  threeDSecure.exemptionVersion,
  threeDSecure.schemeUseCase,
  shopperCustomParameters,
  screeningIds,
  standingInstruction.standingInstructionKind,
  standingInstruction.initialTransaction,
  standingInstruction.rebillInstruction,
  standingInstruction.industryPractice,
  threeDSecure.authenticationInstallments,
  planSecrets,
  dates.dateRange,
  dates.dateOrder,
  dates.referenceOrRange,
]
