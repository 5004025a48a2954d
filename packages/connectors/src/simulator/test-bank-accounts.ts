import type { CountryCode, SepaRejectReasonCode } from '@tollgate/contract'
import { indexNumbers } from './number-index.ts'

/** A published bank account that the simulator debits and credits. */
export interface TestBankAccount {
  readonly country: CountryCode
  readonly number: string
}

/** Test bank accounts of three countries (contract: Test data). */
export const testBankAccounts: readonly TestBankAccount[] = [
  { country: 'DE', number: 'DE89370400440532013000' },
  { country: 'DE', number: 'DE23100000001234567890' },
  { country: 'AT', number: 'AT611904300234573201' },
  { country: 'AT', number: 'AT152011128161647502' },
  { country: 'NL', number: 'NL91ABNA0417164300' },
]

/** A bank account whose bank rejects every payment for one reason. */
export interface RejectingBankAccount {
  readonly reason: SepaRejectReasonCode
  readonly country: CountryCode
  readonly number: string
}

const rejectingAccount = (
  reason: SepaRejectReasonCode,
  country: CountryCode,
  number: string,
): RejectingBankAccount => ({
  reason,
  country,
  number,
})

/**
 * Bank accounts at banks that do not exist. The last two digits encode the reason, also as the cents of a direct debit.
 * The cents 00, 50, 95 and 99 encode no reason, because many prices have them. 06 is reserved for MD06, with which
 * banks return debits after settlement.
 */
export const rejectingBankAccounts: readonly RejectingBankAccount[] = [
  rejectingAccount('AC01', 'DE', 'DE19888888880000000001'),
  rejectingAccount('AC04', 'DE', 'DE89888888880000000002'),
  rejectingAccount('AC06', 'DE', 'DE62888888880000000003'),
  rejectingAccount('AM04', 'DE', 'DE35888888880000000004'),
  rejectingAccount('AM05', 'DE', 'DE08888888880000000005'),
  rejectingAccount('AC13', 'DE', 'DE51888888880000000007'),
  rejectingAccount('AG01', 'DE', 'DE24888888880000000008'),
  rejectingAccount('AG02', 'DE', 'DE94888888880000000009'),
  rejectingAccount('BE04', 'DE', 'DE40888888880000000011'),
  rejectingAccount('BE05', 'DE', 'DE13888888880000000012'),
  rejectingAccount('CNOR', 'DE', 'DE83888888880000000013'),
  rejectingAccount('DNOR', 'DE', 'DE56888888880000000014'),
  rejectingAccount('DT01', 'DE', 'DE02888888880000000016'),
  rejectingAccount('ED05', 'DE', 'DE72888888880000000017'),
  rejectingAccount('FF01', 'DE', 'DE45888888880000000018'),
  rejectingAccount('FF05', 'DE', 'DE18888888880000000019'),
  rejectingAccount('MD01', 'DE', 'DE61888888880000000021'),
  rejectingAccount('MD02', 'DE', 'DE34888888880000000022'),
  rejectingAccount('MD07', 'DE', 'DE07888888880000000023'),
  rejectingAccount('MS02', 'DE', 'DE77888888880000000024'),
  rejectingAccount('MS03', 'DE', 'DE23888888880000000026'),
  rejectingAccount('RC01', 'DE', 'DE93888888880000000027'),
  rejectingAccount('RR01', 'DE', 'DE66888888880000000028'),
  rejectingAccount('RR02', 'DE', 'DE39888888880000000029'),
  rejectingAccount('RR03', 'DE', 'DE82888888880000000031'),
  rejectingAccount('RR04', 'DE', 'DE55888888880000000032'),
  rejectingAccount('SL01', 'DE', 'DE28888888880000000033'),
  rejectingAccount('AC04', 'AT', 'AT518888800000000002'),
  rejectingAccount('AM04', 'AT', 'AT948888800000000004'),
  rejectingAccount('MD01', 'AT', 'AT238888800000000021'),
  rejectingAccount('AC04', 'NL', 'NL42TEST0000000002'),
  rejectingAccount('AM04', 'NL', 'NL85TEST0000000004'),
  rejectingAccount('MD01', 'NL', 'NL14TEST0000000021'),
]

/** The row of `rejectingBankAccounts` with this number. */
export const findRejectingBankAccount = indexNumbers(rejectingBankAccounts)

/** The two digits that encode the reason. */
export const centsOf = ({ number }: RejectingBankAccount): string => number.slice(-2)

const reasonsByCents: ReadonlyMap<string, SepaRejectReasonCode> = new Map(
  rejectingBankAccounts.map((account) => [centsOf(account), account.reason]),
)

/**
 * The reason for which a direct debit of this amount is rejected; undefined if its cents encode no reason.
 *
 * @param amountMinor in cents
 */
export const reasonOfCents = (amountMinor: number): SepaRejectReasonCode | undefined =>
  reasonsByCents.get(String(amountMinor % 100).padStart(2, '0'))
