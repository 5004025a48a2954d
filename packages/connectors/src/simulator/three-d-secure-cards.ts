import type { BrandCode, Secret } from '@tollgate/contract'
import { indexNumbers } from './number-index.ts'

/** The flow in which the simulated issuer of a card authenticates the holder. */
export type ThreeDSecureFlow = 'frictionless' | 'challenge' | 'none'

/** `transStatus` of the ACS: authenticated, attempted, unable, not authenticated, challenge. */
export type TransactionStatus = 'Y' | 'A' | 'U' | 'N' | 'C'

/** A test card for 3-D Secure. */
export interface ThreeDSecureCard {
  readonly brand: BrandCode
  readonly number: string
  /** `none`: the card is not enrolled. */
  readonly flow: ThreeDSecureFlow
  /** Whether the issuer has a method URL that is called before the authentication request. */
  readonly methodData: boolean
  /** Status of the authentication response; absent if the card is not enrolled. */
  readonly transactionStatus?: TransactionStatus
  /**
   * Electronic commerce indicator of the authentication response; absent for status C, because the result of the
   * challenge determines it, for status U, and if the card is not enrolled.
   */
  readonly eci?: string
}

const method = true
const noMethod = false

function frictionless(
  brand: BrandCode,
  number: string,
  methodData: boolean,
  transactionStatus: TransactionStatus,
  eci?: string,
): ThreeDSecureCard {
  return { brand, number, flow: 'frictionless', methodData, transactionStatus, ...(eci !== undefined && { eci }) }
}

function challenge(brand: BrandCode, number: string, methodData: boolean): ThreeDSecureCard {
  return { brand, number, flow: 'challenge', methodData, transactionStatus: 'C' }
}

function notEnrolled(brand: BrandCode, number: string): ThreeDSecureCard {
  return { brand, number, flow: 'none', methodData: false }
}

/**
 * The cards of the simulated directory server; other cards are not enrolled. One UnionPay number has no Luhn check
 * digit, as in reality.
 */
export const threeDSecureCards: readonly ThreeDSecureCard[] = [
  frictionless('VISA', '4200000000000091', method, 'Y', '05'),
  frictionless('VISA', '4200000000000109', method, 'A', '06'),
  frictionless('VISA', '4200000000000026', noMethod, 'Y', '05'),
  frictionless('VISA', '4200000000000059', noMethod, 'A', '06'),
  frictionless('VISA', '4012001036275556', noMethod, 'Y', '05'),
  frictionless('VISA', '4012001037461114', noMethod, 'U'),
  frictionless('VISA', '4012001037141112', noMethod, 'N', '06'),
  notEnrolled('VISA', '4532497088771651'),
  challenge('VISA', '4200000000000042', method),
  challenge('VISA', '4200000000000067', method),
  challenge('VISA', '4200000000000018', noMethod),
  challenge('VISA', '4200000000000075', noMethod),
  challenge('VISA', '4012888888881881', noMethod),
  frictionless('MASTER', '5200000000000007', method, 'Y', '02'),
  frictionless('MASTER', '5200000000000023', method, 'A', '01'),
  frictionless('MASTER', '5200000000000056', noMethod, 'Y', '02'),
  frictionless('MASTER', '5200000000000106', noMethod, 'A', '01'),
  frictionless('MASTER', '5434580000000006', noMethod, 'U'),
  frictionless('MASTER', '5457350076543210', noMethod, 'N', '01'),
  notEnrolled('MASTER', '5497260847316287'),
  challenge('MASTER', '5200000000000015', method),
  challenge('MASTER', '5200000000000049', method),
  challenge('MASTER', '5200000000000064', noMethod),
  challenge('MASTER', '5200000000000072', noMethod),
  frictionless('AMEX', '374500262001008', method, 'Y', '05'),
  frictionless('AMEX', '377277081382243', method, 'A', '06'),
  frictionless('AMEX', '375987000000062', noMethod, 'Y', '05'),
  frictionless('AMEX', '373953192351004', noMethod, 'A', '06'),
  frictionless('AMEX', '375987000169875', noMethod, 'U'),
  frictionless('AMEX', '375987000169883', noMethod, 'N', '06'),
  notEnrolled('AMEX', '343923092050144'),
  challenge('AMEX', '343434343434343', method),
  challenge('AMEX', '375987000000021', method),
  challenge('AMEX', '375987000169867', noMethod),
  challenge('AMEX', '371449635398431', noMethod),
  frictionless('MAESTRO', '6761301000993772', method, 'Y', '02'),
  frictionless('MAESTRO', '6706981111111113', method, 'A', '01'),
  frictionless('MAESTRO', '6799851000000032', noMethod, 'Y', '02'),
  frictionless('MAESTRO', '6007930123456780', noMethod, 'A', '01'),
  frictionless('MAESTRO', '6761301000941201', noMethod, 'U'),
  frictionless('MAESTRO', '6761301000946341', noMethod, 'N', '01'),
  notEnrolled('MAESTRO', '6761257707836567'),
  challenge('MAESTRO', '6799998900000060018', method),
  challenge('MAESTRO', '6773670009114879', method),
  challenge('MAESTRO', '67034200554565015', noMethod),
  challenge('MAESTRO', '6759888888888888', noMethod),
  frictionless('DINERS', '36177580677072', method, 'Y', '05'),
  challenge('DINERS', '36259600000004', method),
  challenge('DINERS', '36458811111119', noMethod),
  frictionless('DISCOVER', '6011000400001008', method, 'A', '06'),
  frictionless('DISCOVER', '6011010000000003', noMethod, 'Y', '05'),
  frictionless('DISCOVER', '6011000990099818', noMethod, 'A', '06'),
  frictionless('DISCOVER', '6510000000001248', noMethod, 'U'),
  frictionless('DISCOVER', '6011025500265831', noMethod, 'N', '06'),
  notEnrolled('DISCOVER', '6011420711746440'),
  challenge('DISCOVER', '6011208701117775', method),
  challenge('DISCOVER', '6559906559906557', noMethod),
  frictionless('JCB', '3530111333300000', method, 'Y', '05'),
  frictionless('JCB', '3566002020360505', method, 'A', '06'),
  frictionless('JCB', '3569990012278361', noMethod, 'Y', '05'),
  frictionless('JCB', '3569990012278353', noMethod, 'A', '06'),
  frictionless('JCB', '3566007770017510', noMethod, 'U'),
  frictionless('JCB', '3569990012291497', noMethod, 'N', '06'),
  challenge('JCB', '3566002345432153', method),
  challenge('JCB', '3569990010095916', method),
  challenge('JCB', '3569990012300876', noMethod),
  challenge('JCB', '3569990012300884', noMethod),
  frictionless('UNIONPAY', '6250947000000014', method, 'Y', '02'),
  frictionless('UNIONPAY', '6250947000000022', method, 'A', '01'),
  frictionless('UNIONPAY', '6250947000000089', noMethod, 'Y', '02'),
  frictionless('UNIONPAY', '6250944220914108', noMethod, 'A', '01'),
  frictionless('UNIONPAY', '6250947000000048', noMethod, 'U'),
  frictionless('UNIONPAY', '6250947000000030', noMethod, 'N', '01'),
  notEnrolled('UNIONPAY', '6250947000000052'),
  challenge('UNIONPAY', '6250947000000097', method),
  challenge('UNIONPAY', '6250944196725207', method),
  challenge('UNIONPAY', '6250949644050173', noMethod),
  challenge('UNIONPAY', '6250945882768112', noMethod),
  frictionless('CARTEBANCAIRE', '5555552500001001', noMethod, 'Y', '02'),
]

/** The row of `threeDSecureCards` with this number. */
export const findThreeDSecureCard: (number: Secret) => ThreeDSecureCard | undefined = indexNumbers(threeDSecureCards)
