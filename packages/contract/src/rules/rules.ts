import {
  accountStructures,
  bankAccountNumber,
  bankAccountStructure,
  bankCode,
  brandOrCard,
  cardStructure,
  giftCardStructure,
  storedAccount,
} from './account.ts'
import { houseNumber, streetName } from './address.ts'
import { checkoutAmount, forexPair, referenceAmount } from './basic-payment.ts'
import { shopperCustomParameters } from './checkout.ts'
import { customerName, identificationDocument, identificationOfBrand } from './customer.ts'
import { dateOrder, dateRange, referenceOrRange } from './dates.ts'
import { sellerAmount } from './marketplace.ts'
import { screeningIds } from './risk.ts'
import type { Rule } from './rule.ts'
import { planSecrets } from './schedule.ts'
import {
  industryPractice,
  initialTransaction,
  rebillInstruction,
  standingInstructionKind,
} from './standing-instruction.ts'
import {
  authenticationBilling,
  authenticationBrowser,
  authenticationInstallments,
  authenticationProof,
  exemptionVersion,
  schemeUseCase,
} from './three-d-secure.ts'
import { walletCard, walletMode, walletProof, walletSource } from './wallets.ts'

/** Every rule that involves more than one parameter, in the order of the contract. */
export const rules: readonly Rule[] = [
  referenceAmount,
  checkoutAmount,
  brandOrCard,
  forexPair,
  cardStructure,
  giftCardStructure,
  walletMode,
  walletCard,
  walletSource,
  walletProof,
  accountStructures,
  storedAccount,
  bankAccountStructure,
  bankAccountNumber,
  bankCode,
  customerName,
  identificationDocument,
  identificationOfBrand,
  authenticationBrowser,
  authenticationBilling,
  houseNumber,
  streetName,
  sellerAmount,
  authenticationProof,
  exemptionVersion,
  schemeUseCase,
  shopperCustomParameters,
  screeningIds,
  standingInstructionKind,
  initialTransaction,
  rebillInstruction,
  industryPractice,
  authenticationInstallments,
  planSecrets,
  dateRange,
  dateOrder,
  referenceOrRange,
]
