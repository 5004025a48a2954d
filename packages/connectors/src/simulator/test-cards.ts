import type { BrandCode } from '@tollgate/contract'
import { indexNumbers } from './number-index.ts'

/** A published card number that the simulator approves. */
export interface TestCard {
  readonly brand: BrandCode
  readonly number: string
  /** Whether the card is enrolled in 3-D Secure, and listed in three-d-secure-cards.ts. */
  readonly enrolled: boolean
}

const notEnrolled = (brand: BrandCode, number: string): TestCard => ({ brand, number, enrolled: false })
const enrolled = (brand: BrandCode, number: string): TestCard => ({ brand, number, enrolled: true })

/**
 * Test cards: for each network one without and one with 3-D Secure (contract: Test data), then one for every other card
 * brand with its own number ranges, and for three debit brands that have none: MASTERDEBIT, VISADEBIT, VISAELECTRON.
 * Any future expiry date and any cvv are accepted.
 */
export const testCards: readonly TestCard[] = [
  notEnrolled('VISA', '4111111111111111'),
  enrolled('VISA', '4200000000000091'),
  notEnrolled('MASTER', '5454545454545454'),
  enrolled('MASTER', '5200000000000007'),
  notEnrolled('AMEX', '378282246310005'),
  enrolled('AMEX', '374500262001008'),
  notEnrolled('DINERS', '30569309025904'),
  enrolled('DINERS', '36177580677072'),
  notEnrolled('DISCOVER', '6011111111111117'),
  enrolled('DISCOVER', '6011010000000003'),
  notEnrolled('JCB', '3528000000000007'),
  enrolled('JCB', '3530111333300000'),
  notEnrolled('MAESTRO', '6759649826438453'),
  enrolled('MAESTRO', '6761301000993772'),
  notEnrolled('UNIONPAY', '6200000000000005'),
  enrolled('UNIONPAY', '6250947000000014'),
  notEnrolled('CARTEBANCAIRE', '4000002500001001'),
  enrolled('CARTEBANCAIRE', '5555552500001001'),
  notEnrolled('AIRPLUS', '122000000000003'),
  notEnrolled('ARGENCARD', '5011050000000001'),
  notEnrolled('BCMC', '6703444444444449'),
  notEnrolled('CABAL', '6042010000000006'),
  notEnrolled('CARNET', '5061990000000007'),
  notEnrolled('CENCOSUD', '6034932528973614'),
  notEnrolled('DANKORT', '5019717010103742'),
  notEnrolled('ELO', '5066991111111118'),
  notEnrolled('HIPERCARD', '6062828888666688'),
  notEnrolled('MADA', '4464040000000007'),
  notEnrolled('MASTERDEBIT', '5200828282828210'),
  notEnrolled('MIR', '2200000000000004'),
  notEnrolled('NARANJA', '5895626746595650'),
  notEnrolled('NATIVA', '4870170000000000'),
  notEnrolled('PROSTIR', '9804000000000009'),
  notEnrolled('RUPAY', '6074850000000006'),
  notEnrolled('TARJETASHOPPING', '6034880000000002'),
  notEnrolled('TROY', '9792020000000001'),
  notEnrolled('VISADEBIT', '4400000000000008'),
  notEnrolled('VISAELECTRON', '4917300800000000'),
]

/** A card number with a fixed response. */
export interface ResponseCard {
  readonly brand: BrandCode
  readonly number: string
  /** The acquirer's response code (ISO 8583 field 39). */
  readonly response: string
}

const responseCard = (response: string, brand: BrandCode, number: string): ResponseCard => ({ brand, number, response })

/**
 * Cards that are declined; the card with response 10 gets a partial approval if the channel accepts one. The first ten
 * are published widely; in the others, with 888 in the middle, the two digits before the check digit are the response
 * code.
 */
export const responseCards: readonly ResponseCard[] = [
  responseCard('05', 'VISA', '4000000000000002'),
  responseCard('51', 'VISA', '4000000000009995'),
  responseCard('41', 'VISA', '4000000000009987'),
  responseCard('43', 'VISA', '4000000000009979'),
  responseCard('54', 'VISA', '4000000000000069'),
  responseCard('N7', 'VISA', '4000000000000127'),
  responseCard('96', 'VISA', '4000000000000119'),
  responseCard('65', 'VISA', '4000000000006975'),
  responseCard('59', 'VISA', '4100000000000019'),
  responseCard('1A', 'VISA', '4000002760003184'),
  responseCard('03', 'VISA', '4000008880000034'),
  responseCard('04', 'VISA', '4000008880000042'),
  responseCard('10', 'VISA', '4000008880000109'),
  responseCard('14', 'VISA', '4000008880000141'),
  responseCard('57', 'VISA', '4000008880000570'),
  responseCard('62', 'VISA', '4000008880000620'),
  responseCard('68', 'VISA', '4000008880000687'),
  responseCard('91', 'VISA', '4000008880000919'),
  responseCard('94', 'VISA', '4000008880000943'),
  responseCard('05', 'MASTER', '5200008880000054'),
  responseCard('51', 'MASTER', '5200008880000518'),
  responseCard('54', 'MASTER', '5200008880000542'),
  responseCard('65', 'MASTER', '5200008880000658'),
  responseCard('05', 'AMEX', '370000888000058'),
  responseCard('51', 'AMEX', '370000888000512'),
]

/** The row of `responseCards` with this number. */
export const findResponseCard = indexNumbers(responseCards)
