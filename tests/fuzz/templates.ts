import { cardPayment, type Form, followUpForm } from '../support/payments.ts'
import type { Random } from '../support/random.ts'

// The templates generate requests that are valid or nearly valid.

/** Ids to which requests may refer. */
export interface ReferableIds {
  readonly payments: readonly string[]
  readonly registrations: readonly string[]
}

/** A parameter, not yet encoded. */
export type Pair = readonly [name: string, value: string]

/** A request whose parameters are not yet encoded. */
export interface RequestTemplate {
  readonly method: string
  readonly path: string
  readonly pairs: readonly Pair[]
}

type DrawTemplate = (random: Random, ids: ReferableIds) => RequestTemplate

const pairsOf = (parameters: Form): readonly Pair[] => Object.entries(parameters)
const { amount: _amount, currency: _currency, paymentType: _type, ...account } = cardPayment()
const { 'card.number': _number, ...formWithoutNumber } = cardPayment()

const pay: DrawTemplate = ({ pick }) => ({
  method: 'POST',
  path: '/v1/payments',
  pairs: pairsOf(cardPayment({ paymentType: pick(['DB', 'PA', 'CD', 'PA.CP']) })),
})

const { 'card.cvv': _cvv, paymentBrand: _brand, ...cardWithoutBrand } = cardPayment()
const proof = { 'threeDSecure.eci': '05', 'threeDSecure.verificationId': 'AAACAgSRBklmQCFgMpEGAAAAAAA=' }
const token = { 'tokenAccount.number': '4895370000000007', 'tokenAccount.expiryYear': '2034' }
const terminal = { 'pos.entryMode': 'ICC', 'pos.terminalId': '42', 'pos.iccDataRequest': '9F26' }

/** A payment or registration with account data other than those of a plain card. */
const payWithOtherAccount: DrawTemplate = ({ pick }) => ({
  method: 'POST',
  path: pick(['/v1/payments', '/v1/payments', '/v1/registrations']),
  pairs: pairsOf(
    pick<Form>([
      { ...cardWithoutBrand, paymentBrand: 'PAYPAL', 'virtualAccount.accountId': 'shopper@wallet.example' },
      {
        ...cardWithoutBrand,
        paymentBrand: 'VISA',
        ...token,
        'tokenAccount.type': 'NETWORK',
        'tokenAccount.dtvc': '123',
      },
      { ...cardWithoutBrand, paymentBrand: 'VISA', ...token, 'tokenAccount.type': 'EXTERNAL' },
      {
        ...cardWithoutBrand,
        paymentBrand: 'HEB_GIFT_CARD',
        'giftCard.number': '6006490000000012',
        'giftCard.pin': '1234',
      },
      { ...cardWithoutBrand, ...proof, 'applePay.source': 'app', 'card.numberType': pick(['PAN', 'DPAN']) },
      { ...cardWithoutBrand, paymentBrand: 'VISA', ...terminal },
      { ...formWithoutNumber, ...terminal, 'pos.encryptedSred.data': 'E5ED1C0D' },
    ]),
  ),
})

const followUp: DrawTemplate = ({ pick }, { payments }) => ({
  method: 'POST',
  path: `/v1/payments/${pick(payments)}`,
  pairs: pairsOf(
    followUpForm(pick(['CP', 'RV', 'RF', 'RB', 'PA', 'DB', 'CB', 'CR', 'RC']), {
      amount: pick(['92.00', '1.00', '0.01']),
    }),
  ),
})

const register: DrawTemplate = () => ({ method: 'POST', path: '/v1/registrations', pairs: pairsOf(account) })

const payWithRegistration: DrawTemplate = ({ pick }, { registrations }) => ({
  method: 'POST',
  path: `/v1/registrations/${pick(registrations)}/payments`,
  pairs: pairsOf(formWithoutNumber),
})

const checkRisk: DrawTemplate = ({ pick }) => ({
  method: 'POST',
  path: pick(['/v1/risk', '/v2/redShield']),
  pairs: pairsOf({ ...account, amount: '92.00', currency: 'EUR' }),
})

const authenticate: DrawTemplate = ({ pick }) => ({
  method: 'POST',
  path: '/v1/threeDSecure',
  pairs: pairsOf({
    ...account,
    amount: '92.00',
    currency: 'EUR',
    shopperResultUrl: 'https://shop.example/done',
    'customParameters[3DS2_enrolled]': pick(['true', 'false']),
  }),
})

const read: DrawTemplate = ({ pick }, { payments }) => ({
  method: 'GET',
  path: `/v1/payments/${pick(payments)}`,
  pairs: pairsOf(account),
})

const readRegistration: DrawTemplate = ({ pick }, { registrations }) => ({
  method: 'GET',
  path: `/v1/registrations/${pick(registrations)}`,
  pairs: pairsOf(account),
})

const updateRegistration: DrawTemplate = ({ pick }, { registrations }) => ({
  method: 'POST',
  path: `/v1/registrations/${pick(registrations)}${pick(['', '', '/extendlife'])}`,
  pairs: pairsOf(account),
})

const charge: DrawTemplate = ({ pick }, { registrations }) => ({
  method: 'POST',
  path: `/v1/registrations/${pick(registrations)}/payments`,
  pairs: pairsOf({
    ...formWithoutNumber,
    'standingInstruction.type': pick(['UNSCHEDULED', 'INSTALLMENT', 'RECURRING']),
    'standingInstruction.mode': pick(['INITIAL', 'REPEATED']),
    'standingInstruction.source': pick(['CIT', 'MIT']),
    'standingInstruction.numberOfInstallments': pick(['1', '3', '999']),
    'standingInstruction.frequency': pick(['0', '1', '9999']),
    'standingInstruction.expiry': pick(['9999-12-31', '0000-01-01', '2026-02-28']),
    'standingInstruction.industryPractice': pick(['', 'RESUBMISSION', 'NO_SHOW', 'DELAYED_CHARGES']),
  }),
})

const createSchedule: DrawTemplate = ({ pick }, { registrations }) => ({
  method: 'POST',
  path: `/scheduling/v1/schedules${pick(['', '', `/${pick(registrations)}/reschedule`, '/x/deschedule'])}`,
  pairs: pairsOf({
    ...formWithoutNumber,
    registrationId: pick(registrations),
    'job.expression': pick(['0 0 0 L * ?', '* * * * * ?', '0 0 0 30 2 ?', '0/7 0 0 ? * 6#5 2099']),
    'job.startDate': pick(['2026-01-31 00:00:00', '9999-12-31 23:59:59']),
    'job.noticeNumber': pick(['1', '9999999999999999']),
    'job.noticeUnit': pick(['MONTH', 'SECOND']),
  }),
})

const deregister: DrawTemplate = ({ pick }, { registrations }) => ({
  method: 'DELETE',
  path: `/v1/registrations/${pick(registrations)}`,
  pairs: pairsOf(account),
})

const useOtherPath: DrawTemplate = ({ pick }) => ({
  method: pick(['POST', 'GET']),
  path: pick(['/v1/checkouts', '/v1/query/1', '/v3/query', '/scheduling/v1/schedules', '/v1/resultcodes', '/']),
  pairs: pairsOf(cardPayment()),
})

/** The weight of a template is the number of its entries. */
export const templates: readonly DrawTemplate[] = [
  pay,
  pay,
  pay,
  pay,
  pay,
  payWithOtherAccount,
  payWithOtherAccount,
  followUp,
  followUp,
  register,
  payWithRegistration,
  payWithRegistration,
  checkRisk,
  authenticate,
  charge,
  charge,
  read,
  readRegistration,
  updateRegistration,
  createSchedule,
  deregister,
  useOtherPath,
]
