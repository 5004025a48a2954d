import { mergedEcho } from '@tollgate/contract'
import {
  registrationAfterPayment,
  isTestMode,
  paymentRefusal,
  refused,
  type StandingInstruction,
  statusOf,
  updateRegistration as withAccount,
  registrationUseRefusal,
} from '@tollgate/domain'
import type { TransactionRow } from '@tollgate/storage'
import type { AcquirerResponse } from '../acquirer/acquirer-response.ts'
import type { Channel } from '../directory/channel.ts'
import type { PendingUnit } from '../pending-unit.ts'
import type { Context } from '../context.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import type { UpdateRequest } from '../parameters/update-request.ts'
import { narrow } from '../narrow.ts'
import { acceptanceSubject } from '../payments/acceptance.ts'
import { echoFor } from '../records/echo.ts'
import { detailsOf, kindOf, sealedAccount } from '../records/account-record.ts'
import { verifyAccount } from './account-verification.ts'
import { accountView, maskedAccountOf } from '../records/masked-account.ts'
import { checkSentInstruction } from '../payments/card-on-file.ts'
import type { UsableInstrument } from '../accounts/instrument.ts'
import { updatedInstrument } from './updated-instrument.ts'
import type { Outcome } from '../records/outcome.ts'
import { initialTransactionIdOf } from '../records/payment-record.ts'
import { requiredChannelOf } from '../directory/visibility.ts'
import { verificationDecline, verificationOutcome } from './register.ts'
import { maskedAccountExpiresAtMs } from '../records/registration-record.ts'
import { type RegistrationChange, changeOutcome, type RegistrationTree } from '../records/registration-tree.ts'
import { readEcho } from '../records/stored-json.ts'
import { changeRegistration } from './change-registration.ts'

const updatedOutcome = (root: TransactionRow): Outcome => changeOutcome(root, 'The stored payment details are updated.')

/**
 * RR: the sent parameters replace stored parameters of the same name; all other stored parameters are kept. If the
 * account is changed or verified, its number is encrypted again and the former row's number is shredded.
 */
export function updateRegistration(context: Context, request: UpdateRequest): Promise<PendingUnit> {
  return changeRegistration(context, request, 'RR', async (tree, subject, id) => {
    const unusable = registrationUseRefusal(subject)
    if (unusable) return unusable
    const { registration, account, root } = tree
    const channel = requiredChannelOf(request, registration)
    const testMode = narrow(isTestMode, root.test_mode)
    const restricted = { ...request, channels: [channel] }
    const instrument = updatedInstrument(context, restricted, account)
    if (!instrument) {
      const view = accountView(kindOf(account), maskedAccountOf(account, detailsOf(account)))
      return {
        kind: 'go',
        registration,
        outcome: { ...updatedOutcome(root), ...view },
        echo: mergedEchoOf(tree, request, channel),
      }
    }
    if (instrument.kind === 'unusable') return refused(instrument.refusal.code, instrument.refusal.reason)
    try {
      const refusal = paymentRefusal(acceptanceSubject(context, { request, channel, type: undefined }, instrument))
      if (refusal) return refusal
      const priorId = request.instruction.initialTransactionId ?? registration.initialTransactionId ?? undefined
      const checked = checkSentInstruction(request, channel, instrument, priorId)
      if (checked?.kind === 'refused') return checked
      const verification = await verifyAccount(context, restricted, { id, channel, instrument, testMode })
      if (verification && statusOf(verification.code) !== 'ACK')
        return verificationDecline(context, request, { channel, instrument, verification })
      const instruction = checked?.instruction
      return await replaceAccount(context, request, tree, { id, channel, instrument, instruction, verification })
    } finally {
      instrument.release?.()
    }
  })
}

/**
 * Replaces the account. The agreements of the registration stay; the network transaction id of a verification is stored
 * for the agreement that the request begins, or if the registration has no such id.
 */
async function replaceAccount(
  context: Context,
  request: AccountRequest,
  tree: RegistrationTree,
  replacement: {
    readonly id: string
    readonly channel: Channel
    readonly instrument: UsableInstrument
    readonly instruction: StandingInstruction | undefined
    readonly verification: AcquirerResponse | undefined
  },
): Promise<RegistrationChange> {
  const { id, channel, instrument, instruction, verification } = replacement
  const { account: kind, masked } = instrument
  const account = await sealedAccount(context, instrument, { id, merchant: tree.merchant, atMs: request.atMs })
  const change = {
    accountId: id,
    accountExpiresAtMs: maskedAccountExpiresAtMs(masked),
    verified: verification !== undefined,
  }
  const networkTransactionId = verification && initialTransactionIdOf(verification.details)
  const registration = withAccount(tree.registration, change, request.atMs)
  return {
    kind: 'go',
    registration: registrationAfterPayment(registration, instruction, networkTransactionId, request.atMs),
    outcome: verification
      ? verificationOutcome(instrument, verification)
      : { ...updatedOutcome(tree.root), ...accountView(kind, masked) },
    networkTransactionId,
    instruction,
    echo: mergedEchoOf(tree, request, channel),
    account,
  }
}

const mergedEchoOf = ({ latest, account }: RegistrationTree, { parameters }: AccountRequest, channel: Channel) =>
  mergedEcho(readEcho(latest.echo), echoFor(channel, parameters, kindOf(account)))
