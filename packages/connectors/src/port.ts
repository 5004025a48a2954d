import type { Form, ResultCode, Secret } from '@tollgate/contract'
import type { TestMode } from '@tollgate/domain'

/** The payment types that reach an acquirer. */
export type AcquirerOperation = 'PA' | 'DB' | 'CD' | 'CP' | 'RV' | 'RF'

/** What pays. Everything else about it is among the parameters of the request. */
export interface AcquirerAccount {
  readonly kind: 'card' | 'bankAccount' | 'virtualAccount' | 'tokenAccount' | 'giftCard'
  /** Card number, IBAN, token, …; absent where a terminal has encrypted it for the acquirer alone. */
  readonly number: Secret | undefined
  readonly holder: string | undefined
  /** 01 to 12, and four digits, where the account has an expiry date. */
  readonly expiryMonth: string | undefined
  readonly expiryYear: string | undefined
  /** What proves that the shopper has it now: cvv, dtvc, pin. */
  readonly cvv: Secret | undefined
}

/** One question to an acquirer. Amounts in minor units of `currency`. */
export interface AcquirerRequest {
  readonly transactionId: string
  readonly operation: AcquirerOperation
  readonly amountMinor: number
  readonly currency: string
  readonly brand: string
  /** Test mode of the request, or of the payment that it refers to; it decides the code of an approval. */
  readonly testMode: TestMode
  /** Whether its shopper confirms it on a page of the bank, or has so confirmed what it refers to. */
  readonly redirected?: boolean | undefined
  /** Absent for a referencing operation, whose original the acquirer finds by its own reference. */
  readonly account?: AcquirerAccount | undefined
  readonly descriptor: string
  /** Whether the approval of a part of the amount is welcome; otherwise the acquirer's link reverses it. */
  readonly partialApproval: boolean
  /**
   * Non-secret request parameters by canonical name (billing.*, customer.*, threeDSecure.*, customParameters[…], …).
   */
  readonly parameters: Form['values']
  /** Secret ones, lent for the question: tokenAccount.cryptogram, pos.encryptedPin.data, pos.iccDataRequest, … */
  readonly secrets: Form['secrets']
  /** Whether the shopper is to agree, on that page, to later charges by the merchant. */
  readonly createAgreement?: boolean | undefined
  /** Where shoppers come back from a page of the acquirer's, and where it tells that something has changed. */
  readonly pages?: { readonly returnUrl: string; readonly notificationUrl: string } | undefined
  /** The acquirer's references of the transaction this one refers to. */
  readonly original?: { readonly transactionId: string; readonly references: readonly string[] } | undefined
  /** The network's id of the transaction that began the agreement, for a charge that the merchant makes under it. */
  readonly initialTransactionId?: string | undefined
  readonly atMs: number
}

/** What a terminal needs back (contract: POS response fields). Letters and digits, but for the time. */
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

/** Where a shopper is sent to go on with a payment (contract: Redirect fields). */
export interface Redirect {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly parameters: readonly RedirectParameter[]
  /** What is to be done first, or may be: of a page of ours, what that page does itself where nobody has. */
  readonly preconditions?: readonly Precondition[] | undefined
}

export interface RedirectParameter {
  readonly name: string
  readonly value: string
}

/** A form that is sent in a hidden frame before the shopper is sent on. */
export interface Precondition {
  readonly origin: string
  readonly waitUntil: string
  readonly description: string
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly parameters: readonly RedirectParameter[]
}

/** What the acquirer said. An approval carries the amount it approved, which is less where that was welcome. */
export interface AcquirerAnswer {
  /** pending: the acquirer has taken it up, and its end is heard of later. */
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
  /** issuer.*, type, level, regulatedFlag: facts about the account by their names in its structure. */
  readonly accountFacts?: Readonly<Record<string, string>> | undefined
  /** Only of an approved payment: the agreement with the provider, under which later charges are made. */
  readonly agreementId?: string | undefined
  /** Of one that is pending, where the shopper has to do something for it. */
  readonly redirect?: Redirect | undefined
  /** pos.* of the answer, where a terminal asked. */
  readonly pos?: TerminalAnswer | undefined
}

/** A link to an acquirer that answers at once, in the process: what it says and the payment are one commit. */
export interface LocalConnector {
  readonly kind: 'local'
  readonly name: string
  ask(request: AcquirerRequest): AcquirerAnswer
}

/**
 * What came of a question where nothing was said. notSent: the acquirer has not heard of it and never will; why, in a
 * few words. unknown: it may have, and may have done what it was asked.
 */
export type Silence = { readonly status: 'notSent'; readonly why: string } | { readonly status: 'unknown' }

/** What was asked and may have been heard. It holds no account data, for it outlives the process that asked. */
export type OpenRequest = Pick<
  AcquirerRequest,
  'transactionId' | 'operation' | 'amountMinor' | 'currency' | 'brand' | 'testMode' | 'original' | 'atMs'
>

/** What is pending at the acquirer, with the references that it gave. */
export interface Inquiry extends OpenRequest {
  readonly references: readonly string[]
}

/**
 * How a question ended. undone: nothing of it is left at the acquirer, and nothing of it will be, should it arrive only
 * now. done: the acquirer has done it, once. unknown: nobody can say yet.
 */
export type Ending =
  | { readonly kind: 'undone' }
  | { readonly kind: 'done'; readonly answer: AcquirerAnswer }
  | { readonly kind: 'unknown' }

/**
 * A link to an acquirer across a network. Before it is asked anything, that it may have been asked is durable, with the
 * amount reserved; what it says is another commit. The gateway waits for it no longer than its own limits.
 */
export interface RemoteConnector {
  readonly kind: 'remote'
  readonly name: string
  /** @param request what it lends is erased as soon as the gateway waits no longer */
  ask(request: AcquirerRequest): Promise<AcquirerAnswer | Silence>
  /**
   * Ends what was asked and has no answer, however often it is called and whatever the acquirer had heard before. A
   * payment (PA, DB, CD) is undone, for the merchant was told that nobody knows of it; of what refers to a payment the
   * acquirer may insist that it was done, as a reversal is repeated until it is heard.
   */
  end(question: OpenRequest): Promise<Ending>
  /** What has become of what is pending; asked as often as anyone likes. Without it nothing is ever pending. */
  inquire?(inquiry: Inquiry): Promise<AcquirerAnswer | Silence>
}

export type Connector = LocalConnector | RemoteConnector
