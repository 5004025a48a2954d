import type { Form, ResultCode, Secret } from '@tollgate/contract'
import type { TestMode } from '@tollgate/domain'

/** The payment types that reach an acquirer. */
export type AcquirerOperation = 'PA' | 'DB' | 'CD' | 'CP' | 'RV' | 'RF'

/** The account that pays. Its further fields are among the parameters of the request. */
export interface AcquirerAccount {
  readonly kind: 'card' | 'bankAccount' | 'virtualAccount' | 'tokenAccount' | 'giftCard'
  /** Card number, IBAN, token, …; absent where a terminal has encrypted it for the acquirer. */
  readonly number: Secret | undefined
  readonly holder: string | undefined
  /** 01 to 12, and four digits, where the account has an expiry date. */
  readonly expiryMonth: string | undefined
  readonly expiryYear: string | undefined
  /** Proof that the shopper has the account at hand: cvv, dtvc, pin. */
  readonly cvv: Secret | undefined
}

/** One authorisation request. Amounts in minor units of `currency`. */
export interface AcquirerRequest {
  readonly transactionId: string
  readonly operation: AcquirerOperation
  readonly amountMinor: number
  readonly currency: string
  readonly brand: string
  /** Of the request, or of the payment that it refers to; decides the code of an approval. */
  readonly testMode: TestMode
  /** Whether the shopper confirms it on a page of the bank, or has confirmed there the payment that it refers to. */
  readonly redirected?: boolean | undefined
  /** Absent for a follow-up: the acquirer finds the payment by its own reference. */
  readonly account?: AcquirerAccount | undefined
  readonly descriptor: string
  /** Whether a partial approval is accepted; otherwise the connector reverses it. */
  readonly partialApproval: boolean
  /**
   * Non-secret request parameters by canonical name (billing.*, customer.*, threeDSecure.*, customParameters[…], …).
   */
  readonly parameters: Form['values']
  /** Secret ones, wiped after the request: tokenAccount.cryptogram, pos.encryptedPin.data, pos.iccDataRequest, … */
  readonly secrets: Form['secrets']
  /** Whether the shopper agrees on that page to later charges by the merchant. */
  readonly createAgreement?: boolean | undefined
  /** Addresses for the shopper's return from a page of the acquirer, and for its notifications of changes. */
  readonly pages?: { readonly returnUrl: string; readonly notificationUrl: string } | undefined
  /** The acquirer's references of the transaction this one refers to. */
  readonly original?: { readonly transactionId: string; readonly references: readonly string[] } | undefined
  /** Of a charge under an agreement: the network's id of the first transaction. */
  readonly initialTransactionId?: string | undefined
  readonly atMs: number
}

/** Fields of an answer to a terminal (contract: POS response fields). Letters and digits, except the time. */
export interface TerminalAnswer {
  readonly clearing: {
    readonly authorizationAcquirerCode: string
    readonly authorizationIssuerCode: string | undefined
    readonly identifier: string
  }
  readonly merchantId: string
  readonly iccDataResponse: string | undefined
  readonly statusText: string
  /** yyyy-MM-dd hh:mm:ss */
  readonly timestamp: string
}

/** The page on which a shopper continues a payment (contract: Redirect fields). */
export interface Redirect {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly parameters: readonly RedirectParameter[]
  /** Forms to submit first. A page of ours submits those itself that were not submitted. */
  readonly preconditions?: readonly Precondition[] | undefined
}

export interface RedirectParameter {
  readonly name: string
  readonly value: string
}

/** A form that is submitted in a hidden frame before the redirect. */
export interface Precondition {
  readonly origin: string
  readonly waitUntil: string
  readonly description: string
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly parameters: readonly RedirectParameter[]
}

/** Response of an acquirer. An approval has its amount, which is smaller for an accepted partial approval. */
export interface AcquirerAnswer {
  /** pending: the acquirer has accepted the payment; its result comes later. */
  readonly status: 'approved' | 'declined' | 'pending'
  readonly code: ResultCode
  readonly amountMinor: number
  /**
   * resultDetails.* of the answer: ExtendedDescription, clearingInstituteName, ConnectorTxID1…3, AcquirerResponse, …
   */
  readonly details: Readonly<Record<string, string>>
  /** result.avsResponse */
  readonly avs?: string | undefined
  /** result.cvvResponse */
  readonly cvv?: string | undefined
  /** issuer.*, type, level, regulatedFlag: fields of the account by their names in its structure. */
  readonly accountFacts?: Readonly<Record<string, string>> | undefined
  /** Only of an approved payment: the agreement with the provider for later charges. */
  readonly agreementId?: string | undefined
  /** Only of a pending payment that waits for the shopper. */
  readonly redirect?: Redirect | undefined
  /** pos.* of an answer to a terminal. */
  readonly pos?: TerminalAnswer | undefined
}

/** Connector to an acquirer in the process: its response and the payment are one commit. */
export interface LocalConnector {
  readonly kind: 'local'
  readonly name: string
  ask(request: AcquirerRequest): AcquirerAnswer
}

/**
 * An authorisation request without an answer. notSent: the acquirer has not received the request and never will, with
 * the reason. unknown: it may have received and carried out the request.
 */
export type NoAnswer = { readonly status: 'notSent'; readonly why: string } | { readonly status: 'unknown' }

/** A request that the acquirer may have received. It holds no account data, because it is stored. */
export type OpenRequest = Pick<
  AcquirerRequest,
  'transactionId' | 'operation' | 'amountMinor' | 'currency' | 'brand' | 'testMode' | 'original' | 'atMs'
>

/** A payment that is pending at the acquirer, with the acquirer's references. */
export interface Inquiry extends OpenRequest {
  readonly references: readonly string[]
}

/**
 * Outcome of a timeout reversal. reversed: nothing of the request is left at the acquirer, even if it arrives later.
 * done: the acquirer has carried it out, once. unknown: the outcome is not known yet.
 */
export type ReversalOutcome =
  | { readonly kind: 'reversed' }
  | { readonly kind: 'done'; readonly answer: AcquirerAnswer }
  | { readonly kind: 'unknown' }

/**
 * Connector to an acquirer across a network. The transaction is stored as SENT, with its amount reserved, before the
 * request leaves; the response is a second commit. The gateway bounds the time that it waits.
 */
export interface RemoteConnector {
  readonly kind: 'remote'
  readonly name: string
  /** @param request its secrets are wiped as soon as the gateway stops waiting */
  ask(request: AcquirerRequest): Promise<AcquirerAnswer | NoAnswer>
  /**
   * Reverses a request without an answer. Idempotent, whether or not the acquirer has received the request. A payment
   * (PA, DB, CD) is always reversed, because the merchant got no result; of a follow-up the acquirer may report that it
   * is done, as a reversal is repeated until it is confirmed.
   */
  end(request: OpenRequest): Promise<ReversalOutcome>
  /** Queries a pending payment; without it no payment is ever pending. */
  inquire?(inquiry: Inquiry): Promise<AcquirerAnswer | NoAnswer>
}

export type Connector = LocalConnector | RemoteConnector
