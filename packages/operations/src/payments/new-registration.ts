import { createRegistration, type StandingInstruction } from '@tollgate/domain'
import type { TransactionRow } from '@tollgate/storage'
import type { Channel } from '../directory/channel.ts'
import type { Context } from '../context.ts'
import type { NewRegistration } from '../pending-unit.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import { echoFor } from '../records/echo.ts'
import { sealedAccount } from '../records/account-record.ts'
import { accountView } from '../records/masked-account.ts'
import type { UsableInstrument } from '../accounts/instrument.ts'
import { methodOf } from '../records/payment-method.ts'
import { registrationNotificationTargetIn } from '../records/notification-target.ts'
import { type Outcome, resultView } from '../records/outcome.ts'
import { rootTransaction, testModeOf } from '../records/new-transaction.ts'
import { maskedAccountExpiresAtMs, registrationSuccess, registrationRow } from '../records/registration-record.ts'

/** The data of a new registration. */
interface RegistrationData {
  readonly id: string
  readonly channel: Channel
  readonly instrument: UsableInstrument
  /** Whether an acquirer approved a payment or verification with the account. */
  readonly verified: boolean
  readonly instruction: StandingInstruction | undefined
  /**
   * The network transaction id to which later charges refer: the id of the customer's agreement, which may have been
   * made at another provider, or of the payment or verification that creates the registration.
   */
  readonly initialTransactionId: string | undefined
  /** Fields of the transaction that creates a registration without a payment; undefined: a payment creates it. */
  readonly transaction?: {
    readonly networkTransactionId: string | undefined
    readonly instruction: StandingInstruction | undefined
    /** undefined: the acquirer did not verify the account. */
    readonly outcome: Outcome | undefined
  }
}

/** The rows of a registration, standalone or along with a payment (createRegistration=true). */
export async function newRegistration(
  context: Context,
  request: AccountRequest,
  data: RegistrationData,
): Promise<NewRegistration> {
  const { id, channel, instrument, verified, instruction, initialTransactionId } = data
  const { merchant } = channel
  return {
    transaction: transactionRow(request, data),
    account: await sealedAccount(context, instrument, { id, merchant, atMs: request.atMs }),
    registration: registrationRow(
      createRegistration({
        id,
        channel: channel.id,
        accountId: id,
        accountExpiresAtMs: maskedAccountExpiresAtMs(instrument.masked),
        verified,
        initialTransactionId: initialTransactionId ?? null,
        agreements: instruction && initialTransactionId ? { [instruction.type]: initialTransactionId } : {},
        atMs: request.atMs,
      }),
      merchant,
    ),
  }
}

/** The transaction that creates a registration (RG). */
function transactionRow(
  request: AccountRequest,
  { id, channel, instrument, transaction }: RegistrationData,
): TransactionRow {
  const { account: kind, brand, masked, brandResult } = instrument
  const code = registrationSuccess({ test_mode: testModeOf(request, channel) })
  return rootTransaction(request, {
    id,
    channel,
    type: 'RG',
    status: 'ACK',
    code,
    brand,
    method: methodOf(brand),
    hasAccount: true,
    registrationId: id,
    networkTransactionId: transaction?.networkTransactionId,
    facts: { instruction: transaction?.instruction, ...registrationNotificationTargetIn(request) },
    echo: echoFor(channel, request.parameters, kind),
    outcome: transaction?.outcome ?? {
      brandResult,
      result: resultView(code),
      resultDetails: { ExtendedDescription: 'The payment details are stored.' },
      ...accountView(kind, masked),
    },
  })
}
