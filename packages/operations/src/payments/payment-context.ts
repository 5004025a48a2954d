import type { Go, PaymentType, Registration } from '@tollgate/domain'
import type { Instrument, UsableInstrument } from '../accounts/instrument.ts'
import type { Channel } from '../directory/channel.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import type { AuthenticationState, SessionKind } from '../records/session-record.ts'
import type { RiskCheck } from '../risk/check-risk.ts'
import type { OnFile } from './card-on-file.ts'

/** A new payment, before any rule has decided on it. */
export interface PaymentContext {
  readonly request: AccountRequest
  readonly id: string
  readonly channel: Channel
  readonly type: PaymentType
  readonly descriptor: string
  readonly instrument: Instrument
  /** undefined: the request brings the account itself. */
  readonly registration: Registration | undefined
  /** The shopper's session on the page where they confirm the payment; undefined: it needs none. */
  readonly sessionId: string | undefined
  readonly sentTo: SessionKind
  /** The issuer's answers so far, if the AReq was sent at once. */
  readonly authenticating?: AuthenticationState | undefined
}

/** A payment that no rule refuses. */
export interface ApprovedPayment {
  readonly instrument: UsableInstrument
  readonly go: Go
  /** undefined if no risk rules apply. */
  readonly risk: RiskCheck | undefined
  /** undefined without a standing instruction. */
  readonly agreed: OnFile | undefined
}
