import type { AcquirerRequest } from '@tollgate/connectors'
import { authenticationPages, isResultCode, MINUTE_MS, resultCodes } from '@tollgate/contract'
import { authenticationOutcomes, type RiskAssessment } from '@tollgate/domain'
import type { TransactionRow, UniqueKeyRow, SessionRow } from '@tollgate/storage'
import { type CartesBancairesAnswer, protocolVersions } from '@tollgate/three-d-secure'
import { type Static, type TSchema, Type } from 'typebox'
import type { Head } from '../request.ts'
import { limits } from '../limits.ts'
import { isOneOf } from '../narrow.ts'
import { type Resource, resourceOf } from './resource.ts'
import { storedParameters } from './stored-parameters.ts'
import { oneOf, optional, storedReader } from './stored-json.ts'

/** Where a shopper was sent; standalone: to be authenticated, and not to pay. */
const visitKinds = ['bank', 'authentication', 'standalone'] as const
export type SessionKind = (typeof visitKinds)[number]
/** Whether a stored text is a kind of session. */
export const isSessionKind = isOneOf(visitKinds)

/** Whether the shopper was sent to be authenticated. */
export const isAuthentication = ({ kind }: Pick<SessionRow, 'kind'>): boolean => kind !== ('bank' satisfies SessionKind)

/** A 3-D Secure transaction, from the issuer's first answer on. */
const authenticating = Type.Object({
  version: oneOf(protocolVersions),
  /** '' where there was no answer. */
  acsTransID: Type.String(),
  dsTransID: Type.String(),
  /** Where the shopper is challenged; undefined: there is no challenge. */
  acsUrl: optional(Type.String()),
  /** The CReq was handed to a browser: an ACS refuses a second one. */
  challengeSent: optional(Type.Literal(true)),
  /** undefined: it is not over. */
  outcome: optional(oneOf(authenticationOutcomes)),
  eci: optional(Type.String()),
  /** CAVV or AAV. */
  proof: optional(Type.String()),
  /** transStatusReason */
  reason: optional(Type.String()),
  /** acsChallengeMandated, authenticationType */
  challengeMandated: optional(Type.String()),
  authenticationType: optional(Type.String()),
  /** 01: an app. 03: the merchant alone. undefined: a browser. */
  deviceChannel: optional(oneOf(['01', '03'])),
  /** 02: for no payment; undefined: for one. */
  messageCategory: optional(Type.Literal('02')),
  /** The amount that the issuer was sent, minor units. */
  shownAmount: optional(Type.String()),
  /** The SDK of an app, and its fields for a challenge. */
  sdkTransID: optional(Type.String()),
  acsReferenceNumber: optional(Type.String()),
  acsSignedContent: optional(Type.String()),
  /** How long the issuer may take to reach its cardholder by itself; undefined: it does not. */
  decoupledMinutes: optional(Type.Integer()),
  /** The issuer's message to the shopper. */
  cardholderInfo: optional(Type.String()),
  cartesBancaires: optional(
    Type.Object({
      algorithm: optional(Type.String()),
      exemption: optional(Type.String()),
      score: optional(Type.String()),
    } satisfies Record<keyof CartesBancairesAnswer, TSchema>),
  ),
})
export type Authenticating = Readonly<Static<typeof authenticating>>

const uniqueKey = Type.Object({
  id: Type.String(),
  merchant: Type.String(),
  transaction_id: Type.String(),
  created_at_ms: Type.Integer(),
  expires_at_ms: Type.Union([Type.Integer(), Type.Null()]),
} satisfies Record<keyof UniqueKeyRow, TSchema>)

/** The state of a pending payment until its decision. */
const progress = Type.Object({
  /** The verdict of the risk rules; undefined if none apply. */
  verdict: optional(oneOf(['accept', 'review', 'reject'] satisfies readonly RiskAssessment['verdict'][])),
  /** Its uniqueness keys, released if the payment fails. */
  unique: optional(Type.Unsafe<readonly UniqueKeyRow[]>(Type.Array(uniqueKey))),
  authenticating: optional(authenticating),
})
export type Progress = Readonly<Static<typeof progress>>
const readProgress = storedReader(progress)

/** The progress of a session. @throws if the row has another shape */
export const progressOf = (session: SessionRow): Progress => readProgress(session.progress)

/** A session that a pending payment waits for. */
export const newSession = (
  row: TransactionRow,
  { parameters, ndc }: Head,
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

/** The path for the merchant's status request, and the id in the shopper's return address. */
export const sessionResource = ({ kind, checkout_id: checkoutId, transaction_id: id }: SessionRow): Resource =>
  kind === ('standalone' satisfies SessionKind) ? resourceOf('threeDSecure', id) : resourceOf('payment', id, checkoutId)

/** Where a shopper is authenticated, below this gateway's address. */
export const authenticationPage = (url: string, sessionId: string): string => `${url}${authenticationPages}${sessionId}`

/** The return addresses of a session: for the shopper, and for the provider. */
export const pagesOf = (url: string, sessionId: string): NonNullable<AcquirerRequest['pages']> => ({
  returnUrl: `${url}/pages/return/${sessionId}`,
  notificationUrl: `${url}/pages/notify/${sessionId}`,
})
