import type { AcquirerRequest } from '@tollgate/connectors'
import { authenticationPages, isResultCode, resultCodes } from '@tollgate/contract'
import { type AuthenticationOutcome, authenticationOutcomes, type RiskAssessment } from '@tollgate/domain'
import type { TransactionRow, UniqueKeyRow, VisitRow } from '@tollgate/storage'
import { type ProtocolVersion, protocolVersions } from '@tollgate/three-d-secure'
import type { Call } from '../../http/public/route.ts'
import { limits } from '../../limits.ts'
import { storedParameters } from '../checkouts/checkout-record.ts'
import { isText, isWhole, oneOf, optional, readStored, shaped, type Shape } from '../records/stored-json.ts'

/** Where a shopper was sent; standalone: to be authenticated, and not to pay. */
const visitKinds = ['bank', 'authentication', 'standalone'] as const
export type VisitKind = (typeof visitKinds)[number]
export const isVisitKind = (kind: string): kind is VisitKind => visitKinds.some((known) => known === kind)

/** Whether the shopper was sent to be authenticated. */
export const isAuthentication = ({ kind }: Pick<VisitRow, 'kind'>): boolean => kind !== ('bank' satisfies VisitKind)

/** A 3-D Secure transaction, from the issuer's first answer on. */
export interface Authenticating {
  readonly version: ProtocolVersion
  /** '' where there was no answer. */
  readonly acsTransID: string
  readonly dsTransID: string
  /** Where the shopper is challenged; undefined where he is not. */
  readonly acsUrl?: string | undefined
  /** undefined: it is not over. */
  readonly outcome?: AuthenticationOutcome | undefined
  readonly eci?: string | undefined
  /** CAVV or AAV. */
  readonly proof?: string | undefined
  /** transStatusReason */
  readonly reason?: string | undefined
}

/** What is to be remembered until a pending payment has come to its end. */
export interface Progress {
  /** What the risk rules made of it; undefined where none hold. */
  readonly verdict?: RiskAssessment['verdict'] | undefined
  /** What it has claimed, and gives back if it comes to nothing. */
  readonly unique?: readonly UniqueKeyRow[] | undefined
  readonly authenticating?: Authenticating | undefined
}

const uniqueKey: Shape<UniqueKeyRow> = {
  id: isText,
  merchant: isText,
  transaction_id: isText,
  created_at_ms: isWhole,
  expires_at_ms: (value): value is number | null => value === null || isWhole(value),
}

const isUniqueKey = shaped(uniqueKey)

const authenticating: Shape<Authenticating> = {
  version: oneOf(protocolVersions),
  acsTransID: isText,
  dsTransID: isText,
  acsUrl: optional(isText),
  outcome: optional(oneOf(authenticationOutcomes)),
  eci: optional(isText),
  proof: optional(isText),
  reason: optional(isText),
}

const progress: Shape<Progress> = {
  authenticating: optional(shaped(authenticating)),
  verdict: optional(oneOf(['accept', 'review', 'reject'])),
  unique: optional((value): value is readonly UniqueKeyRow[] => Array.isArray(value) && value.every(isUniqueKey)),
}

export const progressOf = (visit: VisitRow): Progress => readStored(progress, visit.progress)

/** A visit that a pending payment waits for. */
export const newVisit = (
  row: TransactionRow,
  { form, ndc }: Call,
  about: { readonly id: string; readonly kind: VisitKind; readonly progress: Progress },
): VisitRow => ({
  id: about.id,
  merchant: row.merchant,
  transaction_id: row.id,
  checkout_id: ndc ?? null,
  kind: about.kind,
  parameters: storedParameters(form),
  progress: JSON.stringify(about.progress),
  created_at_ms: row.created_at_ms,
  expires_at_ms: row.created_at_ms + timeOf(about.kind, row.result_code),
  forgotten_at_ms: row.created_at_ms + limits.visitKeptMs,
})

const timeOf = (kind: VisitKind, code: string): number => {
  if (kind !== 'bank') return limits.authenticationMs
  return mayTakeDays(code) ? limits.waitingMs : limits.pendingMs
}

/** Whether it is pending by a code of those whose end may take days. */
export const mayTakeDays = (code: string): boolean => isResultCode(code) && resultCodes[code].group === 'waiting'

/** Where the merchant asks for the status, and under which id the shopper comes back. */
export function resourceOf({ kind, checkout_id: checkoutId, transaction_id: id }: VisitRow) {
  if (kind === ('standalone' satisfies VisitKind)) return { id, resourcePath: `/v1/threeDSecure/${id}` }
  if (checkoutId === null) return { id, resourcePath: `/v1/payments/${id}` }
  return { id: checkoutId, resourcePath: `/v1/checkouts/${checkoutId}/payment` }
}

/** Where a shopper is authenticated, below this gateway's address. */
export const authenticationPage = (url: string, visitId: string): string => `${url}${authenticationPages}${visitId}`

/** The addresses of ours that lead back from a visit: for the shopper, and for whoever he was sent to. */
export const pagesOf = (url: string, visitId: string): NonNullable<AcquirerRequest['pages']> => ({
  returnUrl: `${url}/pages/return/${visitId}`,
  notificationUrl: `${url}/pages/notify/${visitId}`,
})
