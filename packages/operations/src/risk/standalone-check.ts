import { isBrand } from '@tollgate/contract'
import {
  dispatch,
  hasRiskTraits,
  needsOf,
  type Refused,
  refused,
  rejectedByRisk,
  riskCheckCodes,
  riskCheckRefusal,
  statusOf,
} from '@tollgate/domain'
import type { TransactionRow } from '@tollgate/storage'
import type { Channel } from '../directory/channel.ts'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import { moneyOf } from '../parameters/money.ts'
import type { RiskCheckRequest } from '../parameters/risk-check-request.ts'
import type { PreparedRules } from '../directory/risk-rules.ts'
import { accountWithoutNumber } from '../records/account-record.ts'
import { accountView } from '../records/masked-account.ts'
import { type Outcome, resultView } from '../records/outcome.ts'
import { rootTransaction } from '../records/new-transaction.ts'
import { answerAbout } from '../records/transaction-view.ts'
import { checkRisk, type RiskCheck } from './check-risk.ts'
import { describeNotChecked, encryptedAccountParameters } from './unchecked-parameters.ts'
import { riskAccountOf } from './risk-account.ts'
import { detailsWithRisk, echoWithRisk, entriesOf } from './risk-view.ts'
import type { RiskAccount } from './risk-subject.ts'

/** A standalone check, without its result. */
interface RiskCheckContext {
  readonly request: RiskCheckRequest
  readonly id: string
  readonly channel: Channel
  readonly account: RiskAccount
}

/**
 * Executes a risk check without a payment (RI). No request is sent to an acquirer, and no account number is stored.
 * Like a payment, the check is stored with any result and can be read by the id in its answer.
 */
export async function standaloneRiskCheck(context: Context, request: RiskCheckRequest): Promise<PendingUnit> {
  const account = riskAccountOf(request.account, request.paymentBrand)
  const channel = dispatch(request.channels, account.brand, request.money.currency)
  const id = context.ids.ordered(request.atMs)
  const riskCheckContext = { request, id, channel, account }
  const result = await runCheck(context, riskCheckContext)
  const row = transactionRow(riskCheckContext, result)
  return {
    answer: answerAbout(context, request, row),
    onAbandoned: result.kind === 'checked' ? result.removeEntries : undefined,
    transaction: { row },
    account: accountWithoutNumber(
      { account: account.kind, brand: row.brand, masked: account.masked },
      { id, merchant: channel.merchant, atMs: request.atMs },
    ),
    rows: {
      velocity:
        result.kind === 'checked' ? entriesOf(result, result.verdict === 'reject' ? 0 : (row.amount_minor ?? 0)) : [],
    },
  }
}

const emptyRules = { rules: [], reviewFrom: undefined, rejectFrom: undefined }

/** The rules for a channel without risk rules: the score of each check is 0. */
const noRules: PreparedRules = { configured: emptyRules, overrides: [], needs: needsOf([]) }

async function runCheck(
  context: Context,
  { request, id, channel, account }: RiskCheckContext,
): Promise<RiskCheck | Refused> {
  const refusal = riskCheckRefusal(channel.settings)
  if (refusal) return refusal
  const { amount, currency } = moneyOf(request.money)
  if (amount.kind === 'refused') return amount
  const { amountMinor } = amount
  const [name] = encryptedAccountParameters(request.risk, account)
  if (name !== undefined && !hasRiskTraits(request.parameters.values))
    return refused('600.200.201', nothingToCheck(name))
  const { merchant, risk = noRules } = channel
  return checkRisk(context, risk, { request, id, merchant, counterKind: 'check', amountMinor, currency, account })
}

const nothingToCheck = (name: string): string =>
  `${name} cannot be decrypted here, and no other parameter of a risk check was sent: send card.number and the ` +
  'other parameters of the card, or customer.*, billing.*, shipping.* or risk.*'

const codeOf = (result: RiskCheck | Refused) =>
  result.kind === 'checked' ? riskCheckCodes[result.verdict] : result.code

function transactionRow(
  { request, id, channel, account }: RiskCheckContext,
  result: RiskCheck | Refused,
): TransactionRow {
  const { amount, currency } = moneyOf(request.money)
  const { brand } = account
  const code = codeOf(result)
  const check = result.kind === 'checked' ? result : undefined
  const outcome: Outcome = {
    result: resultView(code),
    resultDetails: detailsWithRisk(
      { ExtendedDescription: descriptionOf(result) + describeNotChecked(check?.notChecked ?? []) },
      check,
    ),
    ...(account.masked && accountView(account.kind, account.masked)),
  }
  return rootTransaction(request, {
    id,
    channel,
    type: 'RI',
    status: statusOf(code),
    code,
    amountMinor: amount.kind === 'amount' ? amount.amountMinor : null,
    currency,
    brand: brand !== undefined && isBrand(brand) ? brand : null,
    method: 'RM',
    hasAccount: account.masked !== undefined,
    facts: {},
    echo: echoWithRisk(request, check),
    outcome,
  })
}

function descriptionOf(result: RiskCheck | Refused): string {
  if (result.kind === 'refused') return result.reason
  switch (result.verdict) {
    case 'accept':
      return 'The risk check found no reason against the payment.'
    case 'review':
      return 'The risk check advises to review the payment.'
    case 'reject':
      return rejectedByRisk.reason
  }
}
