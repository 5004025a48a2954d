import type { Go, PaymentType, Registration } from '@tollgate/domain'
import type { Routing } from '../acquirer/connector-of.ts'
import type { Instrument, UsableInstrument } from '../accounts/instrument.ts'
import type { Channel } from '../directory/channel.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import type { AuthenticationState, SessionKind } from '../records/session-record.ts'
import type { RiskCheck } from '../risk/check-risk.ts'
import type { AcceptedInstruction } from './card-on-file.ts'

/** A new payment before its decision. */
export interface PaymentContext {
  readonly request: AccountRequest
  readonly id: string
  readonly channel: Channel
  readonly type: PaymentType
  readonly descriptor: string
  readonly instrument: Instrument
  /** undefined: the account is in the request, or its registration does not exist. */
  readonly registration: Registration | undefined
  /** The id of the redirect session or 3-D Secure session; undefined: the payment needs none. */
  readonly sessionId: string | undefined
  /** The kind of the session; without effect if the payment needs none. */
  readonly sessionKind: SessionKind
  /** The state of the authentication, if the AReq has already been sent. */
  readonly authenticationState?: AuthenticationState | undefined
}

/** A payment that no rule refuses. */
export interface ApprovedPayment {
  readonly instrument: UsableInstrument
  readonly go: Go
  /** undefined if no risk rules apply, or if they were applied before a redirect. */
  readonly risk: RiskCheck | undefined
  /** undefined if there is no standing instruction. */
  readonly acceptedInstruction: AcceptedInstruction | undefined
  readonly routing: Routing
}
