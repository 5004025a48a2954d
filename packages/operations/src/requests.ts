import type { ServedOperation } from '@tollgate/contract'
import type { AccountOnFile } from './parameters/account-on-file.ts'
import type { SentAccount } from './parameters/account.ts'
import type { AccountRequest } from './parameters/account-request.ts'
import type { FollowUpRequest } from './parameters/follow-up-request.ts'
import type { ReferenceData } from './parameters/reference-data.ts'
import type { RiskCheckRequest } from './parameters/risk-check-request.ts'
import type { LinkedTerms, SearchTerms } from './parameters/search.ts'
import type { UpdateRequest } from './parameters/update-request.ts'
import type { Head } from './request.ts'

/** A request that names a resource by its path. */
export interface PathRequest extends Head {
  readonly id: string
}

/** A request that changes a registration or a plan. */
export interface ChangeRequest extends PathRequest {
  readonly reference: ReferenceData
}

/** A request that makes a plan. */
export interface PlanRequest extends Head {
  readonly reference: ReferenceData
  /** By canonical names: the job, and what each charge sends. */
  readonly plan: Readonly<Record<string, string>>
}

/** A request to prepare a checkout, or to change a prepared one: all of its parameters are stored. */
export interface CheckoutRequest extends Head {
  readonly reference: ReferenceData
  /** Whether the answer has the integrity value of the payment script. */
  readonly integrity: boolean
  /** Ids, in the order of their indexes. */
  readonly offeredRegistrations: readonly string[]
}

/** A request of a checkout's shopper: the prepared and the submitted parameters make the payment or registration. */
export interface SubmitRequest extends PathRequest {
  /** Of the registrations that the checkout offers, the one to pay with. */
  readonly registrationId: string | undefined
  readonly shopperResultUrl: string | undefined
}

/** A request to find transactions. */
export interface SearchRequest extends Head {
  readonly search: SearchTerms
}

/** A request for one transaction. */
export interface QueryRequest extends PathRequest {
  /** undefined: without linked transactions. */
  readonly linked: LinkedTerms | undefined
}

interface Shapes {
  readonly createPayment: AccountRequest<SentAccount>
  readonly getPayment: PathRequest
  readonly referToPayment: FollowUpRequest
  readonly createRegistration: AccountRequest<SentAccount>
  readonly getRegistration: PathRequest
  readonly updateRegistration: UpdateRequest
  readonly extendRegistration: ChangeRequest
  readonly payWithRegistration: AccountRequest<AccountOnFile>
  readonly deleteRegistration: ChangeRequest
  readonly createRiskCheck: RiskCheckRequest
  readonly createThreeDSecure: AccountRequest<SentAccount>
  readonly authenticateWithRegistration: AccountRequest<AccountOnFile>
  readonly getThreeDSecure: PathRequest
  readonly createCheckout: CheckoutRequest
  readonly updateCheckout: CheckoutRequest & PathRequest
  readonly payCheckout: SubmitRequest
  readonly getCheckoutPayment: PathRequest
  readonly registerCheckout: SubmitRequest
  readonly createSchedule: PlanRequest & { readonly registrationId: string }
  readonly getSchedule: PathRequest
  readonly reschedule: PlanRequest & PathRequest
  readonly deschedule: ChangeRequest
  readonly queryPayment: QueryRequest
  readonly queryPayments: SearchRequest
  readonly queryRecord: QueryRequest
  readonly queryRecords: SearchRequest
}

/** The commands. Operations of the contract that differ only in their path are of one kind. */
export type RequestKind = Extract<ServedOperation, keyof Shapes>

/** The requests by their kind. */
export type Requests = { readonly [Kind in RequestKind]: Shapes[Kind] & { readonly kind: Kind } }

/** A request as an operation takes it. */
export type OperationRequest = Requests[RequestKind]
