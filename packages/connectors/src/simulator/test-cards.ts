import type { BrandCode } from '@tollgate/contract'
import { indexNumbers } from './number-index.ts'

/** A published card number that the simulator approves. */
export interface TestCard {
  readonly brand: BrandCode
  readonly number: string
  /** Whether it is enrolled in 3-D Secure, and in the roster of three-d-secure-cards.ts. */
  readonly enrolled: boolean
}

const plain = (brand: BrandCode, number: string): TestCard => ({ brand, number, enrolled: false })
const enrolled = (brand: BrandCode, number: string): TestCard => ({ brand, number, enrolled: true })

/**
 * Test cards: for each network one without and one with 3-D Secure (contract: Test data), then one for every other card
 * brand with its own number ranges, debit brands included. Any future expiry date and any cvv are accepted.
 */
export const testCards: readonly TestCard[] = [
  plain('VISA', '4111111111111111'),
  enrolled('VISA', '4200000000000091'),
  plain('MASTER', '5454545454545454'),
  enrolled('MASTER', '5200000000000007'),
  plain('AMEX', '378282246310005'),
  enrolled('AMEX', '374500262001008'),
  plain('DINERS', '30569309025904'),
  enrolled('DINERS', '36177580677072'),
  plain('DISCOVER', '6011111111111117'),
  enrolled('DISCOVER', '6011010000000003'),
  plain('JCB', '3528000000000007'),
  enrolled('JCB', '3530111333300000'),
  plain('MAESTRO', '6759649826438453'),
  enrolled('MAESTRO', '6761301000993772'),
  plain('UNIONPAY', '6200000000000005'),
  enrolled('UNIONPAY', '6250947000000014'),
  plain('CARTEBANCAIRE', '4000002500001001'),
  enrolled('CARTEBANCAIRE', '5555552500001001'),
  plain('AIRPLUS', '122000000000003'),
  plain('ARGENCARD', '5011050000000001'),
  plain('BCMC', '6703444444444449'),
  plain('CABAL', '6042010000000006'),
  plain('CARNET', '5061990000000007'),
  plain('CENCOSUD', '6034932528973614'),
  plain('DANKORT', '5019717010103742'),
  plain('ELO', '5066991111111118'),
  plain('HIPERCARD', '6062828888666688'),
  plain('MADA', '4464040000000007'),
  plain('MASTERDEBIT', '5200828282828210'),
  plain('MIR', '2200000000000004'),
  plain('NARANJA', '5895626746595650'),
  plain('NATIVA', '4870170000000000'),
  plain('PROSTIR', '9804000000000009'),
  plain('RUPAY', '6074850000000006'),
  plain('TARJETASHOPPING', '6034880000000002'),
  plain('TROY', '9792020000000001'),
  plain('VISADEBIT', '4400000000000008'),
  plain('VISAELECTRON', '4917300800000000'),
]

/** A card number with a fixed response. */
export interface ResponseCard {
  readonly brand: BrandCode
  readonly number: string
  /** The acquirer's response code (ISO 8583 field 39). */
  readonly response: string
}

const answers = (response: string, brand: BrandCode, number: string): ResponseCard => ({ brand, number, response })

/**
 * Cards that are declined. The first ones are published widely; those with 888 in the middle have the response code
 * before the check digit.
 */
export const responseCards: readonly ResponseCard[] = [
  answers('05', 'VISA', '4000000000000002'),
  answers('51', 'VISA', '4000000000009995'),
  answers('41', 'VISA', '4000000000009987'),
  answers('43', 'VISA', '4000000000009979'),
  answers('54', 'VISA', '4000000000000069'),
  answers('N7', 'VISA', '4000000000000127'),
  answers('96', 'VISA', '4000000000000119'),
  answers('65', 'VISA', '4000000000006975'),
  answers('59', 'VISA', '4100000000000019'),
  answers('1A', 'VISA', '4000002760003184'),
  answers('03', 'VISA', '4000008880000034'),
  answers('04', 'VISA', '4000008880000042'),
  answers('10', 'VISA', '4000008880000109'),
  answers('14', 'VISA', '4000008880000141'),
  answers('57', 'VISA', '4000008880000570'),
  answers('62', 'VISA', '4000008880000620'),
  answers('68', 'VISA', '4000008880000687'),
  answers('91', 'VISA', '4000008880000919'),
  answers('94', 'VISA', '4000008880000943'),
  answers('05', 'MASTER', '5200008880000054'),
  answers('51', 'MASTER', '5200008880000518'),
  answers('54', 'MASTER', '5200008880000542'),
  answers('65', 'MASTER', '5200008880000658'),
  answers('05', 'AMEX', '370000888000058'),
  answers('51', 'AMEX', '370000888000512'),
]

/** The row of `responseCards` with this number. */
export const findResponseCard = indexNumbers(responseCards)
