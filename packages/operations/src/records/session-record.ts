import type { AcquirerRequest } from '@tollgate/connectors'
import { authenticationPages, isResultCode, MINUTE_MS, resultCodes } from '@tollgate/contract'
import { type AuthenticationOutcome, authenticationOutcomes, type RiskAssessment } from '@tollgate/domain'
import type { TransactionRow, UniqueKeyRow, SessionRow } from '@tollgate/storage'
import { type CartesBancairesAnswer, type ProtocolVersion, protocolVersions } from '@tollgate/three-d-secure'
import type { Call } from '../request.ts'
import { limits } from '../limits.ts'
import { storedParameters } from './stored-parameters.ts'
import { isText, isTrue, isWhole, oneOf, optional, readStored, shaped, type Shape } from './stored-json.ts'

/** Where a shopper was sent; standalone: to be authenticated, and not to pay. */
const visitKinds = ['bank', 'authentication', 'standalone'] as const
export type SessionKind = (typeof visitKinds)[number]
/** Whether a stored text is a kind of session. */
export const isSessionKind = (kind: string): kind is SessionKind => visitKinds.some((known) => known === kind)

/** Whether the shopper was sent to be authenticated. */
export const isAuthentication = ({ kind }: Pick<SessionRow, 'kind'>): boolean => kind !== ('bank' satisfies SessionKind)

/** A 3-D Secure transaction, from the issuer's first answer on. */
export interface Authenticating {
  readonly version: ProtocolVersion
  /** '' where there was no answer. */
  readonly acsTransID: string
  readonly dsTransID: string
  /** Where the shopper is challenged; undefined where he is not. */
  readonly acsUrl?: string | undefined
  /** The CReq was handed to a browser: an ACS refuses a second one. */
  readonly challengeSent?: true | undefined
  /** undefined: it is not over. */
  readonly outcome?: AuthenticationOutcome | undefined
  readonly eci?: string | undefined
  /** CAVV or AAV. */
  readonly proof?: string | undefined
  /** transStatusReason */
  readonly reason?: string | undefined
  /** acsChallengeMandated, authenticationType */
  readonly challengeMandated?: string | undefined
  readonly authenticationType?: string | undefined
  /** 01: an app. 03: the merchant alone. undefined: a browser. */
  readonly deviceChannel?: '01' | '03' | undefined
  /** 02: for no payment; undefined: for one. */
  readonly messageCategory?: '02' | undefined
  /** What the issuer was told that is paid, minor units. */
  readonly shownAmount?: string | undefined
  /** Of an app's SDK, and what it needs to challenge the shopper. */
  readonly sdkTransID?: string | undefined
  readonly acsReferenceNumber?: string | undefined
  readonly acsSignedContent?: string | undefined
  /** How long the issuer may take to reach its cardholder by itself; undefined: it does not. */
  readonly decoupledMinutes?: number | undefined
  /** What the shopper is to be told by the issuer. */
  readonly cardholderInfo?: string | undefined
  readonly cartesBancaires?: CartesBancairesAnswer | undefined
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

const cartesBancaires: Shape<CartesBancairesAnswer> = {
  algorithm: optional(isText),
  exemption: optional(isText),
  score: optional(isText),
}

const authenticating: Shape<Authenticating> = {
  version: oneOf(protocolVersions),
  acsTransID: isText,
  dsTransID: isText,
  acsUrl: optional(isText),
  challengeSent: optional(isTrue),
  outcome: optional(oneOf(authenticationOutcomes)),
  eci: optional(isText),
  proof: optional(isText),
  reason: optional(isText),
  challengeMandated: optional(isText),
  authenticationType: optional(isText),
  deviceChannel: optional(oneOf(['01', '03'])),
  messageCategory: optional(oneOf(['02'])),
  shownAmount: optional(isText),
  sdkTransID: optional(isText),
  acsReferenceNumber: optional(isText),
  acsSignedContent: optional(isText),
  decoupledMinutes: optional(isWhole),
  cardholderInfo: optional(isText),
  cartesBancaires: optional(shaped(cartesBancaires)),
}

const progress: Shape<Progress> = {
  authenticating: optional(shaped(authenticating)),
  verdict: optional(oneOf(['accept', 'review', 'reject'])),
  unique: optional((value): value is readonly UniqueKeyRow[] => Array.isArray(value) && value.every(isUniqueKey)),
}

/** How far a session has come. @throws where the row holds another shape */
export const progressOf = (session: SessionRow): Progress => readStored(progress, session.progress)

/** A session that a pending payment waits for. */
export const newSession = (
  row: TransactionRow,
  { parameters, ndc }: Call,
  about: { readonly id: string; readonly kind: SessionKind; readonly progress: Progress },
): SessionRow => ({
  id: about.id,
  merchant: row.merchant,
  transaction_id: row.id,
  checkout_id: ndc ?? null,
  kind: about.kind,
  parameters: storedParameters(parameters),
  progress: JSON.stringify(about.progress),
  created_at_ms: row.created_at_ms,
  expires_at_ms:
    row.created_at_ms + Math.max(timeOf(about.kind, row.result_code), timeFor(about.progress.authenticating)),
  forgotten_at_ms: row.created_at_ms + limits.visitKeptMs,
})

const timeOf = (kind: SessionKind, code: string): number => {
  if (kind !== 'bank') return limits.authenticationMs
  return mayTakeDays(code) ? limits.waitingMs : limits.pendingMs
}

/** How long an issuer takes from now that reaches its cardholder by itself; 0: no longer than any. */
export const timeFor = ({ decoupledMinutes }: Partial<Authenticating> = {}): number =>
  decoupledMinutes === undefined ? 0 : decoupledMinutes * MINUTE_MS + limits.decoupledGraceMs

/** Whether it is pending by a code of those whose end may take days. */
export const mayTakeDays = (code: string): boolean => isResultCode(code) && resultCodes[code].group === 'waiting'

/** Where the merchant asks for the status, and under which id the shopper comes back. */
export function resourceOf({ kind, checkout_id: checkoutId, transaction_id: id }: SessionRow) {
  if (kind === ('standalone' satisfies SessionKind)) return { id, resourcePath: `/v1/threeDSecure/${id}` }
  if (checkoutId === null) return { id, resourcePath: `/v1/payments/${id}` }
  return { id: checkoutId, resourcePath: `/v1/checkouts/${checkoutId}/payment` }
}

/** Where a shopper is authenticated, below this gateway's address. */
export const authenticationPage = (url: string, sessionId: string): string => `${url}${authenticationPages}${sessionId}`

/** The addresses of ours that lead back from a session: for the shopper, and for whoever he was sent to. */
export const pagesOf = (url: string, sessionId: string): NonNullable<AcquirerRequest['pages']> => ({
  returnUrl: `${url}/pages/return/${sessionId}`,
  notificationUrl: `${url}/pages/notify/${sessionId}`,
})
