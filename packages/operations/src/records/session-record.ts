import type { AcquirerRequest } from '@tollgate/connectors'
import { authenticationPagesPath, isResultCode, MINUTE_MS, resultCodes } from '@tollgate/contract'
import { authenticationOutcomes, type RiskAssessment } from '@tollgate/domain'
import type { TransactionRow, UniqueKeyRow, SessionRow } from '@tollgate/storage'
import { type CartesBancairesResponse, protocolVersions } from '@tollgate/three-d-secure'
import { type Static, type TSchema, Type } from 'typebox'
import type { Head } from '../request-head.ts'
import { limits } from '../limits.ts'
import { isOneOf } from '../narrow.ts'
import { type Resource, resourceOf } from './resource.ts'
import { storedParameters } from './stored-parameters.ts'
import { oneOf, optional, storedReader } from './stored-json.ts'

/**
 * The kinds of session. bank: a redirect to a bank or wallet. authentication: 3-D Secure for a payment. standalone: 3-D
 * Secure without a payment.
 */
const sessionKinds = ['bank', 'authentication', 'standalone'] as const
export type SessionKind = (typeof sessionKinds)[number]
export const isSessionKind = isOneOf(sessionKinds)

/** Whether the session is a 3-D Secure session. */
export const isAuthentication = ({ kind }: Pick<SessionRow, 'kind'>): boolean => kind !== ('bank' satisfies SessionKind)

/**
 * The state of a 3-D Secure transaction. It is stored when the AReq has been answered, has failed or cannot be sent,
 * and when the shopper cancels.
 */
const authenticationState = Type.Object({
  version: oneOf(protocolVersions),
  /** '' if there was no response. */
  acsTransID: Type.String(),
  dsTransID: Type.String(),
  /** The address of the challenge; undefined: there is no challenge. */
  acsUrl: optional(Type.String()),
  /** Whether the CReq was sent to a browser: an ACS refuses a second CReq. */
  challengeSent: optional(Type.Literal(true)),
  /** undefined: the authentication has not ended. */
  outcome: optional(oneOf(authenticationOutcomes)),
  eci: optional(Type.String()),
  /** CAVV or AAV. */
  proof: optional(Type.String()),
  /** transStatusReason */
  reason: optional(Type.String()),
  /** acsChallengeMandated, authenticationType */
  challengeMandated: optional(Type.String()),
  authenticationType: optional(Type.String()),
  /** 01: an app. 03: initiated by the merchant (3RI). undefined: a browser. */
  deviceChannel: optional(oneOf(['01', '03'])),
  /** 02: not for a payment. undefined: for a payment. */
  messageCategory: optional(Type.Literal('02')),
  /** The amount that was sent to the issuer, in minor units. */
  shownAmount: optional(Type.String()),
  /** The id of the app's SDK, and the fields that it needs for a challenge. */
  sdkTransID: optional(Type.String()),
  acsReferenceNumber: optional(Type.String()),
  acsSignedContent: optional(Type.String()),
  /** The time that the issuer has for a decoupled authentication; undefined: the authentication is not decoupled. */
  decoupledMinutes: optional(Type.Integer()),
  /** The issuer's message to the shopper. */
  cardholderInfo: optional(Type.String()),
  cartesBancaires: optional(
    Type.Object({
      algorithm: optional(Type.String()),
      exemption: optional(Type.String()),
      score: optional(Type.String()),
    } satisfies Record<keyof CartesBancairesResponse, TSchema>),
  ),
})
export type AuthenticationState = Readonly<Static<typeof authenticationState>>

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
  /** The uniqueness keys of the payment, released if it fails or expires. */
  unique: optional(Type.Unsafe<readonly UniqueKeyRow[]>(Type.Array(uniqueKey))),
  authenticating: optional(authenticationState),
})
export type Progress = Readonly<Static<typeof progress>>
const readProgress = storedReader(progress)

/** The progress of a session. @throws if the row has another shape */
export const progressOf = (session: SessionRow): Progress => readProgress(session.progress)

/** The session of a pending payment or standalone authentication. */
export const newSession = (
  row: TransactionRow,
  { parameters, ndc }: Head,
  session: { readonly id: string; readonly kind: SessionKind; readonly progress: Progress },
): SessionRow => ({
  id: session.id,
  merchant: row.merchant,
  transaction_id: row.id,
  checkout_id: ndc ?? null,
  kind: session.kind,
  parameters: storedParameters(parameters),
  progress: JSON.stringify(session.progress),
  created_at_ms: row.created_at_ms,
  expires_at_ms:
    row.created_at_ms +
    Math.max(sessionMs(session.kind, row.result_code), decoupledMs(session.progress.authenticating)),
  forgotten_at_ms: row.created_at_ms + limits.sessionRetentionMs,
})

const sessionMs = (kind: SessionKind, code: string): number => {
  if (kind !== 'bank') return limits.authenticationMs
  return mayTakeDays(code) ? limits.acceptedPendingMs : limits.pendingMs
}

/** The time for a decoupled authentication, from its request; 0 for an authentication that is not decoupled. */
export const decoupledMs = ({ decoupledMinutes }: Partial<AuthenticationState> = {}): number =>
  decoupledMinutes === undefined ? 0 : decoupledMinutes * MINUTE_MS + limits.decoupledGraceMs

/** Whether a payment with this result code may be pending for days. */
export const mayTakeDays = (code: string): boolean => isResultCode(code) && resultCodes[code].group === 'waiting'

/** The path for the merchant's status request, and the id in the shopper's return address. */
export const sessionResource = ({ kind, checkout_id: checkoutId, transaction_id: id }: SessionRow): Resource =>
  kind === ('standalone' satisfies SessionKind) ? resourceOf('threeDSecure', id) : resourceOf('payment', id, checkoutId)

/** The address of the gateway's page on which a shopper is authenticated. */
export const authenticationPage = (url: string, sessionId: string): string =>
  `${url}${authenticationPagesPath}${sessionId}`

/** The return addresses of a session: for the shopper, and for the provider. */
export const sessionUrls = (url: string, sessionId: string): NonNullable<AcquirerRequest['urls']> => ({
  returnUrl: `${url}/pages/return/${sessionId}`,
  notificationUrl: `${url}/pages/notify/${sessionId}`,
})
