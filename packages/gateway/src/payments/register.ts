import { echoOf } from '@tollgate/contract'
import { createRegistration, type Refused, refusalHttpStatus, type Unknown } from '@tollgate/domain'
import type { AccountRow, Guard, RegistrationRow, TransactionRow } from '@tollgate/storage'
import type { Channel } from '../directory.ts'
import type { Proposal } from '../funnel.ts'
import type { Gateway } from '../gateway.ts'
import type { Call } from '../http/public/route.ts'
import { dispatch, refusalOf } from './acceptance.ts'
import { faceOnly, sealedAccount } from './account-record.ts'
import { accountView } from './account-view.ts'
import type { Instrument, UsableInstrument } from './instruments/instrument.ts'
import { methodOf } from './method.ts'
import { type Outcome, resultView } from './outcome.ts'
import { REGISTRATION_DONE, registrationRow } from './registration-record.ts'
import { renderTransaction } from './view.ts'

/** What a new registration consists of: the root of a tree of its own, the sealed card, and its present state. */
export interface NewRegistration {
  readonly guard: Guard
  readonly transaction: TransactionRow
  readonly account: AccountRow
  readonly registration: RegistrationRow
}

/** RG: stores payment details without a payment. What is refused is not kept: there is nothing to refer to later. */
export async function register(gateway: Gateway, call: Call, instrument: Instrument): Promise<Proposal> {
  if (instrument.kind === 'unusable') return refuse(gateway, call, instrument.why)
  const channel = dispatch(call.channels, instrument.brand, undefined)
  const why = refusalOf({ channel, form: call.form, instrument, type: undefined })
  if (why) return refuse(gateway, call, why)
  const { guard, transaction, account, registration } = await newRegistration(gateway, call, channel, instrument)
  const body = renderTransaction(gateway.render, transaction, call)
  return {
    answer: { status: 200, code: REGISTRATION_DONE, body },
    guards: [guard],
    rows: { payment_transaction: [transaction], account: [account], registration: [registration] },
  }
}

function refuse(gateway: Gateway, call: Call, why: Refused | Unknown): Proposal {
  return { answer: gateway.render.refusal(refusalHttpStatus[why.kind], why.code, call, why) }
}

/** The rows of a registration, made for its own sake or along with a payment (createRegistration=true). */
export async function newRegistration(
  gateway: Gateway,
  call: Call,
  channel: Channel,
  instrument: UsableInstrument,
): Promise<NewRegistration> {
  const id = gateway.ids.random()
  const { merchant } = channel
  const { account: kind, brand, face, number } = instrument
  const about = { id, merchant, kind, brand, face, atMs: call.atMs }
  const outcome: Outcome = {
    brandResult: instrument.brandResult,
    result: resultView(REGISTRATION_DONE),
    resultDetails: { ExtendedDescription: 'The payment details are stored.' },
    ...accountView(kind, face),
  }
  return {
    guard: { id, merchant, version: 0 },
    transaction: {
      root_id: id,
      id,
      merchant,
      channel: channel.id,
      referenced_id: null,
      type: 'RG',
      status: 'ACK',
      amount_minor: null,
      currency: null,
      brand,
      method: methodOf(brand),
      test_mode: call.form.values.get('testMode') ?? 'INTERNAL',
      account_id: id,
      registration_id: id,
      merchant_transaction_id: call.form.values.get('merchantTransactionId') ?? null,
      result_code: REGISTRATION_DONE,
      facts: '{}',
      echo: JSON.stringify(echoOf(call.form)),
      outcome: JSON.stringify(outcome),
      created_at_ms: call.atMs,
    },
    account: number ? await sealedAccount(gateway, number, about) : faceOnly(about),
    registration: registrationRow(
      createRegistration({ id, channel: channel.id, accountId: id, atMs: call.atMs }),
      merchant,
    ),
  }
}
