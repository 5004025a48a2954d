import { type CurrencyCode, currencies } from '@tollgate/contract'
import { formatAmount } from '@tollgate/domain'
import type { Parameters } from '@tollgate/gateway/testing'
import { setFaults } from '../support/acquirer-host.ts'
import type { Random } from '../support/random.ts'
import { businessDayAt } from './business-day.ts'
import { accountOf, type Answered, type Card, type Requests } from './requests.ts'
import {
  capturesOf,
  type Dispute,
  type Happened,
  heldMinorOf,
  isCharge,
  refundableMinorOf,
  type Transaction,
} from './transactions.ts'

/** The parts of a turn. All random values of a turn come from its own generator, so that turns can run at once. */
export interface TurnParts {
  readonly random: Random
  readonly requests: Requests
  readonly merchants: number
  /** What happened before the turn. */
  readonly happened: Happened
  /** The number of the turn. */
  readonly number: number
  /** Returns the next number of all turns. */
  readonly nextNumber: () => number
  readonly now: () => number
}

/** What happens in a turn: a payment, or follow-ups of an earlier one. */
export interface Turn {
  readonly transactions: readonly Transaction[]
  readonly disputes: readonly Dispute[]
  /** A new payment of a random kind. */
  readonly begin: () => Promise<unknown>
  /** A follow-up of a transaction, or a dispute. */
  readonly followUp: (transaction: Transaction) => Promise<unknown>
  /** A capture whose first answer is lost. It becomes approved when its advice is repeated. */
  readonly captureLate: () => Promise<unknown>
}

/** A reversal of a transaction that was sent for clearing. */
const CLEARED = '700.300.700'
const declinedCards = ['4999990000000510', '4999990000000056', '4999990000000106'] as const
const cards: readonly Card[] = [
  ['VISA', '4200000000000000'],
  ['VISA', '4111111111111111'],
  ['VISA', '4012888888881881'],
  ['MASTER', '5454545454545454'],
  ['MASTER', '5105105105105100'],
  ['AMEX', '377777777777770'],
]
const currencyCodes = ['EUR', 'EUR', 'EUR', 'GBP', 'JPY', 'KWD', 'SEK', 'USD', 'USD', 'CAD'] as const
/** Amounts begin at 5.00. */
const FIRST_AMOUNT = 500
/** The part of a preauthorisation that is more than its first capture. */
const FURTHER_AMOUNT = 60_000

/** Requests have two decimals. */
const stepOf = (currency: CurrencyCode): number => (currencies[currency].exponent === 3 ? 10 : 1)

/** A part of an amount that a request can state. */
const partOf = (amountMinor: number, currency: CurrencyCode, divisor: number): number =>
  Math.ceil(amountMinor / stepOf(currency) / divisor) * stepOf(currency)

/** A chargeback is at most what is not refunded, and a second one at most the reversal of the first. */
function isRecordableAfter(
  last: Dispute | undefined,
  stage: Dispute['stage'],
  amountMinor: number,
  refundableMinor: number,
): boolean {
  if (stage === 'CHARGEBACK REVERSAL') return last?.isRecordable === true
  return amountMinor <= Math.min(refundableMinor, last?.isRecordable ? last.amountMinor : refundableMinor)
}

export function createTurn({ random, requests, merchants, happened, number, nextNumber, now }: TurnParts): Turn {
  const transactions: Transaction[] = []
  const disputes: Dispute[] = []

  /** An amount that no other request draws, so that a transaction can be found by its amount. */
  const drawAmount = (currency: CurrencyCode): number => (FIRST_AMOUNT + nextNumber()) * stepOf(currency)

  let named = 0
  const drawName = (): string => `order-${String(number).padStart(6, '0')}-${(named += 1)}`

  async function record(answer: Promise<Answered>): Promise<Answered> {
    const answered = await answer
    transactions.push(answered.transaction)
    return answered
  }

  function pay(type: string, currency: CurrencyCode, amountMinor: number, account: Parameters): Promise<Answered> {
    const requested = { type, currency, amountMinor, merchant: random.below(merchants), referenced: undefined }
    return record(requests.send('/v1/payments', account, requested))
  }

  const drawAccount = (): Parameters => ({
    ...accountOf(random.pick(cards)),
    merchantTransactionId: drawName(),
  })

  function follow(referenced: Transaction, type: string, amountMinor: number): Promise<Answered> {
    const { currency, merchant } = referenced
    const name = { merchantTransactionId: drawName() }
    const requested = { type, amountMinor, currency, merchant, referenced }
    return record(requests.send(`/v1/payments/${referenced.id}`, name, requested))
  }

  function payOnce(type: string, account = drawAccount()) {
    const currency = random.pick(currencyCodes)
    return pay(type, currency, drawAmount(currency), account)
  }

  /** Two debits with the same merchantTransactionId, card and amount, a moment apart. */
  async function payTwice(): Promise<void> {
    const account = drawAccount()
    const { transaction: first } = await payOnce('DB', account)
    const { currency, amountMinor, merchant } = first
    const requested = { type: 'DB', currency, amountMinor, merchant, referenced: undefined }
    await record(requests.send('/v1/payments', account, requested))
  }

  /** A preauthorisation for several captures. */
  function preauthorise(): Promise<Answered> {
    const currency = random.pick(currencyCodes)
    return pay('PA', currency, drawAmount(currency) + FURTHER_AMOUNT * stepOf(currency), drawAccount())
  }

  /** A preauthorisation that is captured in two equal parts, a moment apart. */
  async function captureTwice(): Promise<void> {
    const currency = random.pick(currencyCodes)
    const amountMinor = drawAmount(currency)
    const { transaction } = await pay('PA', currency, 2 * amountMinor, drawAccount())
    await follow(transaction, 'CP', amountMinor)
    await follow(transaction, 'CP', amountMinor)
  }

  async function followHold(hold: Transaction): Promise<void> {
    const captures = capturesOf(happened, hold)
    const heldMinor = heldMinorOf(happened, hold)
    if (captures.length === 0 && heldMinor === hold.amountMinor && random.chance(0.15)) return reverse(hold)
    const amountMinor = drawAmount(hold.currency)
    if (amountMinor <= heldMinor && captures.length < 3) await follow(hold, 'CP', amountMinor)
    return undefined
  }

  /** A charge can be reversed until the cut-off of its acquirer. */
  async function reverse(referenced: Transaction): Promise<void> {
    const { transaction, code } = await follow(referenced, 'RV', referenced.amountMinor)
    const isCleared = referenced.type !== 'PA' && referenced.day !== transaction.day
    if (isCleared !== (code === CLEARED) || isCleared === (transaction.status === 'approved'))
      throw new Error(`${referenced.type} of ${referenced.day} was reversed on ${transaction.day}: ${code}`)
    referenced.isReversed = !isCleared
  }

  async function followCharge(charge: Transaction): Promise<void> {
    const refundableMinor = refundableMinorOf(happened, charge)
    const isDisputed = happened.disputes.some(({ of }) => of === charge)
    const choice = random.below(10)
    if (choice < 3 && refundableMinor === charge.amountMinor && !isDisputed) return reverse(charge)
    if (choice < 6 && refundableMinor > 0 && !isDisputed) {
      const isFull = random.chance(0.5)
      await follow(charge, 'RF', isFull ? refundableMinor : partOf(refundableMinor, charge.currency, 3))
    }
    if (choice === 6 && charge.type === 'DB') await follow(charge, 'RB', drawAmount(charge.currency))
    return choice > 6 ? dispute(charge, refundableMinor) : undefined
  }

  /** The next stage of the dispute of a charge, on another day than the stage before. */
  async function dispute(charge: Transaction, refundableMinor: number): Promise<void> {
    const { acquirer, currency, reference } = charge
    const earlier = happened.disputes.filter(({ of }) => of === charge)
    const last = earlier.at(-1)
    const day = businessDayAt(acquirer.cutOff, now())
    if (earlier.length > 2 || last?.day === day) return
    const stage = last?.stage === 'CHARGEBACK' ? 'CHARGEBACK REVERSAL' : 'CHARGEBACK'
    const isPart = stage === 'CHARGEBACK' && random.chance(0.3)
    const response = await fetch(
      `${acquirer.url}/acquirer/${stage === 'CHARGEBACK' ? 'chargebacks' : 'chargeback-reversals'}`,
      {
        method: 'POST',
        // An idle connection may be closed by the host while a request is sent.
        headers: { connection: 'close' },
        body: JSON.stringify({
          reference,
          ...(stage === 'CHARGEBACK' && { reason: '10.4' }),
          ...(isPart && { amount: formatAmount(partOf(charge.amountMinor, currency, 2), currency) }),
        }),
      },
    )
    const text = await response.text()
    if (!response.ok) throw new Error(`the dispute was refused: ${text}`)
    const { amountMinor }: { amountMinor: number } = JSON.parse(text)
    const isRecordable = isRecordableAfter(last, stage, amountMinor, refundableMinor)
    disputes.push({ stage, of: charge, amountMinor, day, isRecordable })
  }

  return {
    transactions,
    disputes,
    begin() {
      const choice = random.below(20)
      if (choice < 10) return payOnce('DB')
      if (choice < 15) return preauthorise()
      if (choice === 15) return payOnce('CD')
      if (choice === 16)
        return payOnce('DB', { ...accountOf(['VISA', random.pick(declinedCards)]), merchantTransactionId: drawName() })
      return choice === 17 ? payTwice() : captureTwice()
    },
    async followUp(transaction) {
      if (transaction.type === 'PA') return followHold(transaction)
      return isCharge(transaction) ? followCharge(transaction) : undefined
    },
    async captureLate() {
      const { transaction: hold } = await preauthorise()
      await setFaults(hold.acquirer, [{ knob: 'dropResponse', types: ['0220'], next: 1 }])
      await follow(hold, 'CP', drawAmount(hold.currency))
      await setFaults(hold.acquirer, [])
    },
  }
}
