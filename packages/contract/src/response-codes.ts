import type { MerchantAdviceCode } from './merchant-advice-codes.ts'
import type { ResultCode } from './result-codes.ts'

/** The class of a response. notice: not about the payment, but about a reversal or a reconciliation. */
export type ResponseClass = 'approved' | 'partial' | 'declined' | 'softDecline' | 'pickUp' | 'error' | 'notice'

/**
 * When a payment may be tried again. never: this account will not be approved. later: unchanged, after some time. fix:
 * with other data. generic: a few times, because the issuer gives no reason. authenticate: with authentication of the
 * cardholder. reconcile: only after the outcome of the first attempt is known. none: a repetition has no purpose.
 */
export type RetryClass = 'none' | 'never' | 'later' | 'fix' | 'generic' | 'authenticate' | 'reconcile'

/** One value of data element 39. */
export interface ResponseCode {
  /** The action code of ISO 8583:1993 that means `text`, or a host's four-digit extension; '' if none exists. */
  readonly action: string
  readonly class: ResponseClass
  readonly retry: RetryClass
  readonly resultCode: ResultCode
  readonly text: string
  /** The usual merchant advice, for acquirers that send none. */
  readonly advice?: MerchantAdviceCode
  /** The result code of Mastercard and Maestro, if different. */
  readonly mastercard?: ResultCode
}

const row = (
  action: string,
  kind: ResponseClass,
  retry: RetryClass,
  resultCode: ResultCode,
  text: string,
  more: Pick<ResponseCode, 'advice' | 'mastercard'> = {},
): ResponseCode => ({ action, class: kind, retry, resultCode, text, ...more })

/** The response codes of ISO 8583:1987 and their extensions by the networks (data element 39). */
export const responseCodes: Readonly<Record<string, ResponseCode>> = {
  '00': row('000', 'approved', 'none', '000.000.000', 'Approved'),
  '01': row('107', 'declined', 'generic', '800.100.152', 'Refer to the card issuer', { advice: '02' }),
  '02': row('108', 'declined', 'generic', '800.100.152', 'Refer to the card issuer, special conditions', {
    advice: '02',
  }),
  '03': row('109', 'declined', 'later', '800.100.190', 'Unknown merchant or service provider'),
  '04': row('200', 'pickUp', 'never', '800.100.171', 'Pick up the card, no fraud', { advice: '03' }),
  '05': row('100', 'declined', 'generic', '800.100.152', 'Do not honour', { advice: '02' }),
  '06': row('909', 'error', 'later', '900.100.200', 'Error'),
  '07': row('207', 'pickUp', 'never', '800.100.171', 'Pick up the card, special conditions', { advice: '03' }),
  '08': row('001', 'approved', 'none', '000.000.000', 'Honour with identification'),
  '09': row('923', 'error', 'later', '800.700.100', 'Request in progress'),
  '10': row('002', 'partial', 'none', '000.000.000', 'Approved for a part of the amount'),
  '11': row('003', 'approved', 'none', '000.000.000', 'Approved, very important customer'),
  '12': row('902', 'declined', 'never', '800.100.170', 'Transaction not valid', { advice: '03' }),
  '13': row('110', 'declined', 'fix', '800.100.174', 'Amount not valid', { advice: '01' }),
  '14': row('111', 'declined', 'never', '800.100.151', 'No such card number', { advice: '03' }),
  '15': row('908', 'declined', 'never', '800.100.151', 'No such issuer', { advice: '03' }),
  '16': row('004', 'approved', 'none', '000.000.000', 'Approved, update track 3'),
  '17': row('400', 'notice', 'none', '100.396.101', 'Cancelled by the customer'),
  '19': row('903', 'declined', 'later', '900.100.500', 'Enter the transaction again'),
  '20': row('909', 'error', 'later', '900.100.200', 'Response not valid'),
  '21': row('914', 'error', 'none', '900.100.202', 'No action taken, nothing to reverse'),
  '22': row('909', 'error', 'later', '900.100.200', 'Malfunction suspected'),
  '23': row('113', 'declined', 'none', '800.100.170', 'Transaction fee not acceptable'),
  '25': row('302', 'declined', 'none', '700.400.580', 'Record not found'),
  '28': row('305', 'error', 'later', '900.100.500', 'File not available for the moment'),
  '30': row('904', 'error', 'fix', '800.100.156', 'Format error'),
  '31': row('905', 'declined', 'none', '800.100.169', 'Bank not supported by the switch'),
  '32': row('4004', 'notice', 'none', '000.000.000', 'Completed in part'),
  '33': row('201', 'pickUp', 'never', '800.100.157', 'Expired card, pick up', { advice: '01' }),
  '34': row('202', 'pickUp', 'none', '800.100.158', 'Suspected fraud, pick up', { advice: '03' }),
  '35': row('203', 'pickUp', 'none', '800.100.171', 'Contact the acquirer, pick up', { advice: '03' }),
  '36': row('204', 'pickUp', 'none', '800.100.168', 'Restricted card, pick up', { advice: '03' }),
  '37': row('205', 'pickUp', 'none', '800.100.158', 'Call acquirer security, pick up', { advice: '03' }),
  '38': row('206', 'pickUp', 'none', '800.100.178', 'Too many wrong PINs, pick up', { advice: '03' }),
  '39': row('114', 'declined', 'fix', '800.100.172', 'No credit account', { advice: '01' }),
  '40': row('115', 'declined', 'none', '800.100.170', 'Function not supported'),
  '41': row('208', 'pickUp', 'never', '800.100.165', 'Lost card, pick up', { advice: '03' }),
  '42': row('114', 'declined', 'none', '800.100.172', 'No universal account'),
  '43': row('209', 'pickUp', 'never', '800.100.159', 'Stolen card, pick up', { advice: '03' }),
  '44': row('114', 'declined', 'none', '800.100.172', 'No investment account'),
  '46': row('1035', 'declined', 'never', '800.100.172', 'Closed account', { advice: '03' }),
  '51': row('116', 'declined', 'later', '800.100.155', 'Not enough funds', { advice: '02' }),
  '52': row('114', 'declined', 'later', '800.100.172', 'No current account', { advice: '01' }),
  '53': row('114', 'declined', 'later', '800.100.172', 'No savings account', { advice: '01' }),
  '54': row('101', 'declined', 'fix', '800.100.157', 'Expired card', { advice: '01' }),
  '55': row('117', 'declined', 'fix', '800.100.166', 'Wrong PIN'),
  '56': row('118', 'declined', 'none', '800.100.151', 'No record of the card', { advice: '03' }),
  '57': row('119', 'declined', 'never', '800.100.170', 'Not permitted to the cardholder', { advice: '03' }),
  '58': row('120', 'declined', 'none', '800.100.170', 'Not permitted to the terminal'),
  '59': row('102', 'declined', 'later', '800.100.158', 'Suspected fraud', { advice: '03' }),
  '60': row('103', 'declined', 'none', '800.100.152', 'Contact the acquirer'),
  '61': row('121', 'declined', 'later', '800.100.162', 'Withdrawal amount exceeded', { advice: '02' }),
  '62': row('104', 'declined', 'later', '800.100.168', 'Restricted card', { advice: '01' }),
  '63': row('122', 'declined', 'none', '800.100.158', 'Security violation'),
  '64': row('110', 'declined', 'none', '700.100.200', 'Original amount incorrect'),
  '65': row('123', 'declined', 'later', '800.100.163', 'Withdrawal frequency exceeded', {
    advice: '02',
    mastercard: '300.100.100',
  }),
  '66': row('105', 'declined', 'none', '800.100.158', 'Call acquirer security'),
  '67': row('204', 'pickUp', 'none', '800.100.171', 'Hard capture at the machine', { advice: '03' }),
  '68': row('4021', 'error', 'reconcile', '900.100.300', 'Response received too late'),
  '70': row('1012', 'declined', 'authenticate', '300.100.100', 'PIN data required', { advice: '01' }),
  '75': row('106', 'declined', 'fix', '800.100.178', 'Too many wrong PINs'),
  '76': row('914', 'error', 'none', '700.400.580', 'Earlier message not found'),
  '77': row('914', 'error', 'none', '800.100.167', 'Earlier message found, data differ'),
  '78': row('1044', 'declined', 'later', '800.100.160', 'Card not activated, or blocked at first use', {
    advice: '01',
  }),
  '79': row('4000', 'declined', 'none', '700.300.300', 'Already reversed', { advice: '03' }),
  '80': row('909', 'declined', 'fix', '800.100.156', 'Date not valid, or system not available', {
    mastercard: '900.100.400',
  }),
  '81': row('126', 'error', 'none', '900.100.200', 'Cryptographic error in the PIN'),
  '82': row('1045', 'declined', 'fix', '800.100.153', 'Card verification data wrong', {
    advice: '01',
    mastercard: '800.100.170',
  }),
  '83': row('117', 'declined', 'fix', '800.100.158', 'PIN cannot be verified', { advice: '03' }),
  '85': row('085', 'approved', 'none', '000.000.000', 'No reason to decline'),
  '86': row('117', 'declined', 'fix', '800.100.166', 'PIN cannot be verified now'),
  '88': row('128', 'error', 'later', '900.100.200', 'Cryptographic failure'),
  '89': row('1819', 'declined', 'none', '800.100.190', 'Terminal not valid'),
  '91': row('907', 'error', 'later', '900.100.400', 'Issuer or switch not available', { advice: '02' }),
  '92': row('908', 'error', 'none', '800.100.169', 'No route to the issuer'),
  '93': row('124', 'declined', 'never', '800.100.170', 'Violation of law', { advice: '03' }),
  '94': row('913', 'declined', 'none', '800.110.100', 'Duplicate transmission'),
  '95': row('501', 'notice', 'none', '900.100.202', 'Reconciliation error'),
  '96': row('909', 'error', 'later', '900.100.200', 'System malfunction', { advice: '02' }),
  '97': row('504', 'notice', 'none', '000.000.000', 'Reconciliation totals reset'),
  '98': row('916', 'error', 'none', '900.100.203', 'Message authentication failed'),
  '99': row('919', 'error', 'none', '900.100.203', 'Encryption keys out of step'),
  '1A': row(
    '1067',
    'softDecline',
    'authenticate',
    '300.100.100',
    'Additional authentication of the customer required',
    { advice: '01' },
  ),
  '5C': row('100', 'declined', 'later', '800.100.170', 'Not supported, or blocked by the issuer', { advice: '02' }),
  '6P': row('1045', 'declined', 'fix', '800.100.153', 'Verification data failed', { advice: '01' }),
  '9G': row('104', 'declined', 'later', '800.100.168', 'Blocked by the cardholder', { advice: '02' }),
  B1: row('1072', 'declined', 'none', '800.100.170', 'Surcharge not permitted'),
  N0: row('909', 'declined', 'later', '900.100.400', 'Stand-in forced', { advice: '02' }),
  N3: row('1062', 'declined', 'none', '800.100.170', 'Cash service not available'),
  N4: row('1063', 'declined', 'none', '800.100.162', 'Cash limit of the issuer exceeded'),
  N7: row('1045', 'declined', 'fix', '800.100.153', 'Card verification code wrong', { advice: '01' }),
  P5: row('1028', 'declined', 'none', '800.100.166', 'PIN change declined'),
  Q1: row('117', 'declined', 'none', '800.100.158', 'Card authentication failed', { advice: '03' }),
  R0: row('1075', 'declined', 'never', '800.100.500', 'Stop this recurring payment', { advice: '21' }),
  R1: row('1076', 'declined', 'never', '800.100.501', 'Stop all recurring payments of the merchant', { advice: '21' }),
  R2: row('1077', 'declined', 'none', '800.100.170', 'Does not qualify for PIN'),
  R3: row('1077', 'declined', 'never', '800.100.403', 'All authorisations revoked', { advice: '21' }),
  Z3: row('911', 'declined', 'later', '900.100.600', 'Declined offline, could not go online'),
}

/** The result of an unknown response code. */
export const unknownResponse = row('', 'declined', 'generic', '800.100.100', 'Unknown response code')

/** The results of requests without a response of the acquirer. */
export const resultsWithoutResponse = {
  /** The request timed out; its reversal was accepted. */
  reversed: row('911', 'error', 'later', '900.100.301', 'No answer in time, reversed'),
  /** The request timed out; its reversal is not confirmed yet. */
  uncertain: row('911', 'error', 'reconcile', '900.100.300', 'No answer in time, reversal not confirmed yet'),
  /** The request was not sent. */
  notSent: row('', 'error', 'later', '900.100.600', 'Not sent, the link is down'),
} as const satisfies Readonly<Record<string, ResponseCode>>

const mastercardBrands: ReadonlySet<string> = new Set(['MASTER', 'MASTERDEBIT', 'MAESTRO'])

/**
 * The result code of an acquirer's response.
 *
 * @param code data element 39, two characters; an unknown one gives 800.100.100
 * @param brand the payment's brand: some codes differ between the networks
 */
export const resultOfResponse = (code: string, brand = ''): ResultCode => {
  const response = Object.hasOwn(responseCodes, code) ? responseCodes[code] : undefined
  if (response === undefined) return unknownResponse.resultCode
  return (mastercardBrands.has(brand) ? response.mastercard : undefined) ?? response.resultCode
}
