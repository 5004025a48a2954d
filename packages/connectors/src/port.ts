import type { Form, MerchantAdviceCode, ResultCode, Secret } from '@tollgate/contract'
import type { BatchTotals, CutOff, TestMode } from '@tollgate/domain'

/** The payment types that reach an acquirer. */
export type AcquirerOperation = 'PA' | 'DB' | 'CD' | 'CP' | 'RV' | 'RF'

/**
 * The shopper's account, which a CD credits and other payments debit. The further fields of a sent account are among
 * the parameters of the request.
 */
export interface AcquirerAccount {
  readonly kind: 'card' | 'bankAccount' | 'virtualAccount' | 'tokenAccount' | 'giftCard'
  /** Card number, IBAN, token, agreement id, …; undefined if the shopper enters it at a terminal or the provider. */
  readonly number: Secret | undefined
  readonly holder: string | undefined
  /** 01 to 12, and four digits, if the account has an expiry date. */
  readonly expiryMonth: string | undefined
  readonly expiryYear: string | undefined
  /** Proof that the shopper possesses the account: cvv, dtvc, pin. */
  readonly cvv: Secret | undefined
  /**
   * Further fields of the account by their names in its structure (bic, country, mandate.id, numberType, …), which a
   * stored account has without parameters of the request.
   */
  readonly details?: AccountFields | undefined
}

/** Fields of an account; those of an inner structure, such as `mandate`, are in an object of their own. */
export interface AccountFields {
  readonly [field: string]: string | AccountFields | undefined
}

/** The transaction that a request refers to, and the place of the request in its payment. */
export interface OriginalTransaction {
  readonly transactionId: string
  /** The acquirer's references: `resultDetails.ConnectorTxID1` to `3` of the original. */
  readonly references: readonly string[]
  /** The network's id of the original. */
  readonly networkTransactionId?: string | undefined
  /** The amount of the original in minor units, with its increases and less its partial reversals. */
  readonly amountMinor?: number | undefined
  /** The references of its message, as the connector returned them. Only for connectors with `references`. */
  readonly sentAs?: string | undefined
  /** Of a capture: its number among the captures of its authorisation, from 1. */
  readonly captureSequence?: number | undefined
}

/** The approval of a sale by card and terminal, without the issuer. The terminal sends the sale later. */
export interface OfflineApproval {
  /** The approval code of a voice authorisation (tag 89), up to six characters; without one, the response code. */
  readonly approvalCode: string
  /** The terminal's response code (tag 8A): Y1 approved offline, Y3 approved because the issuer was not reached. */
  readonly responseCode: string
  /** The date of the sale at the terminal, YYMMDD (tag 9A). */
  readonly date: string | undefined
  /** The time of the sale at the terminal, hhmmss (tag 9F21). */
  readonly time: string | undefined
}

/** One authorisation request. Amounts are in minor units of `currency`. */
export interface AcquirerRequest {
  readonly transactionId: string
  readonly operation: AcquirerOperation
  readonly amountMinor: number
  readonly currency: string
  readonly brand: string
  /** Test mode of the request, or of the payment that it refers to. The result code of an approval depends on it. */
  readonly testMode: TestMode
  /**
   * Whether the payment, or the payment that it refers to, is processed by a bank or wallet that redirects the shopper
   * to its page. A charge under an agreement is such a payment without a redirect.
   */
  readonly redirected?: boolean | undefined
  /** Absent for a follow-up: the acquirer finds the payment by the acquirer's reference. */
  readonly account?: AcquirerAccount | undefined
  /** Whether the account is that of a registration, so that the shopper did not enter it. */
  readonly hasStoredAccount?: boolean | undefined
  readonly descriptor: string
  /** Whether a partial approval is accepted; otherwise the connector reverses it. */
  readonly partialApproval: boolean
  /**
   * Non-secret request parameters by canonical name (billing.*, customer.*, threeDSecure.*, customParameters[…], …).
   */
  readonly parameters: Form['values']
  /**
   * Secret request parameters, wiped after the request: tokenAccount.cryptogram, pos.encryptedPin.data,
   * pos.iccDataRequest, …
   */
  readonly secrets: Form['secrets']
  /** Whether the shopper agrees to later charges by the merchant on the bank's page. */
  readonly createAgreement?: boolean | undefined
  /** Whether a session reads the result of a pending answer later. Otherwise the request needs a final answer. */
  readonly awaitsResult?: boolean | undefined
  /** Address to which the shopper returns from the acquirer's page, and address for the acquirer's notifications. */
  readonly urls?: { readonly returnUrl: string; readonly notificationUrl: string } | undefined
  /** The transaction that this one refers to, with the acquirer's references. */
  readonly original?: OriginalTransaction | undefined
  /** The network's id of the first transaction of an agreement; only of a charge under that agreement. */
  readonly initialTransactionId?: string | undefined
  /** Only of a DB that card and terminal have approved: the acquirer is informed, and cannot decline it for funds. */
  readonly offlineApproval?: OfflineApproval | undefined
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
  /** Forms to submit first. The gateway's redirect page submits the forms that the client has not submitted. */
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

/**
 * Response of an acquirer. `amountMinor` is the approved amount: less than requested for an accepted partial approval.
 */
export interface AcquirerAnswer {
  /** pending: the acquirer has accepted the payment; its result follows later. */
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
  /**
   * Facts about the account by the names of their fields in the account's structure of the answer, such as `card`:
   * issuer.bank, issuer.phone, issuer.website, type, level, regulatedFlag.
   */
  readonly accountFacts?: Readonly<Record<string, string>> | undefined
  /** The agreement with the provider for later charges; only of an approved payment. */
  readonly agreementId?: string | undefined
  /**
   * Only of a decline by the issuer: the response (data element 39) and the merchant advice that the issuer has sent.
   * By them the gateway keeps the networks' limits of retries. Absent if the acquirer keeps these limits itself.
   */
  readonly issuerDecline?: { readonly response: string; readonly advice: MerchantAdviceCode | undefined } | undefined
  /** The business day to which the acquirer assigns the transaction, in days since 1970; absent: it states none. */
  readonly settlementDay?: number | undefined
  /** The shopper's page; only of a pending payment that the shopper must confirm. */
  readonly redirect?: Redirect | undefined
  /** pos.* of an answer to a terminal. */
  readonly pos?: TerminalAnswer | undefined
}

/** Connector to an acquirer in the same process: its response is committed together with the payment. */
export interface LocalConnector {
  readonly kind: 'local'
  readonly name: string
  send(request: AcquirerRequest): AcquirerAnswer
}

/**
 * The outcome of an authorisation request without an answer. notSent: the acquirer has not received the request and
 * never will. unknown: the acquirer may have received and carried out the request.
 */
export type NoAnswer = { readonly status: 'notSent'; readonly reason: string } | { readonly status: 'unknown' }

/**
 * An answer that this gateway does not accept, such as an approval of a part. The request is reversed, and `answer` is
 * its result.
 */
export interface AnswerToReverse {
  readonly status: 'toReverse'
  readonly answer: AcquirerAnswer
}

/**
 * A capture or reversal that the acquirer does not process as it is: an operator has to repair it. The reason is for
 * the operator.
 */
export interface RejectedMessage {
  readonly status: 'rejected'
  readonly reason: string
}

/** A request that the acquirer may have received. It holds no account data, because it is stored. */
export type OpenRequest = Pick<
  AcquirerRequest,
  'transactionId' | 'operation' | 'amountMinor' | 'currency' | 'brand' | 'testMode' | 'original' | 'atMs'
>

/** The reason of a reversal: no answer, or the approval of a part that the merchant does not accept. */
export type ReversalReason = 'noAnswer' | 'partialApproval'

/** The messages of a reversal, by the references under which the acquirer knows them (JSON of the connector). */
export interface ReversalAttempt {
  /** The references of the request that is reversed. */
  readonly sentAs: string
  /** The references of the reversal itself. */
  readonly reversalSentAs: string
  /** Whether the reversal was sent before under these references. */
  readonly isRepeat: boolean
}

/** A payment that is pending at the acquirer, with the acquirer's references. */
export interface Inquiry extends OpenRequest {
  readonly references: readonly string[]
}

/**
 * Outcome of a timeout reversal. reversed: the request has no effect at the acquirer, even if it arrives later. done:
 * the acquirer has carried out the request, once. rejected: the acquirer does not process the message as it is.
 * unknown: the outcome is not known yet.
 */
export type ReversalOutcome =
  | { readonly kind: 'reversed' /** The acquirer's response code. */; readonly response?: string | undefined }
  | { readonly kind: 'done'; readonly answer: AcquirerAnswer }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'unknown' }

/** A notification of a provider, as it was received. */
export interface ReceivedNotification {
  /** `X-Initialization-Vector`: hexadecimal digits. */
  readonly vector: string | undefined
  /** `X-Authentication-Tag`: hexadecimal digits. */
  readonly tag: string | undefined
  /** Hexadecimal digits, or `{"encryptedBody":"<hex>"}`. */
  readonly body: string
}

/**
 * The transaction that a notification names. It is a hint only, because it may be repeated or late: the state of the
 * payment is read from the provider before anything changes. other: it names no transaction of this gateway, such as
 * the test delivery. wrong: the named part is malformed, or the key does not fit.
 */
export type NotificationHint =
  | { readonly kind: 'payment'; readonly transactionId: string }
  | { readonly kind: 'other' }
  | { readonly kind: 'wrong'; readonly part: string }

/** The result of a message that tests a connection to an acquirer. */
export interface ConnectionTest {
  /** The host and port of the connection. */
  readonly address: string
  /** The time until the host answered, or the connection was found to be down. */
  readonly tookMs: number
  /** The reason why the host has not accepted the message; undefined: it has. */
  readonly failure: string | undefined
}

/** The totals of the transactions of one business day and currency. */
export interface DayTotals {
  /** Days since 1970. */
  readonly day: number
  /** ISO 4217, such as `EUR`. */
  readonly currency: string
  readonly totals: BatchTotals
}

/** agreed: the acquirer has closed the day. differs: it has these totals. unknown: it has not answered. */
export type ClearingVerdict =
  | { readonly kind: 'agreed' }
  | { readonly kind: 'differs'; readonly totals: BatchTotals }
  | { readonly kind: 'unknown' }

/** The references of a capture in a clearing file. */
export interface FileCapture {
  /** The reference number of the capture, which its answer has as `ConnectorTxID1`. */
  readonly reference: string
  readonly terminalId: string
  /** The number of the capture among those of its authorisation, and their count: equal for the last one. */
  readonly captureSequence: number
  readonly captureCount: number
}

/** The clearing of an account at an acquirer. */
export interface Clearing {
  /** The merchant's id at the acquirer, by which settlement files name the account. */
  readonly merchantId: string
  /** The name of the acquirer, for people. */
  readonly institute: string
  readonly cutOff: CutOff
  /**
   * Only if the clearing file presents captures to the issuer, so that they send no message: the references of a
   * capture in the file. Otherwise the message of a capture presents it.
   *
   * @param sentAs the references that are stored with the capture
   */
  readonly fileCapture?: (sentAs: string) => FileCapture
  /** Compares the totals of a day with those of the acquirer. May be repeated. */
  agree(day: DayTotals): Promise<ClearingVerdict>
}

/**
 * Connector to an acquirer across a network. The transaction is stored as SENT, with its amount reserved, before the
 * request is sent; the response is a second commit. The gateway limits the wait for the response.
 */
export interface RemoteConnector {
  readonly kind: 'remote'
  /** The account at the acquirer: stored with each attempt, so that its reversal finds it. */
  readonly name: string
  /**
   * Draws the references of a message, as JSON without account data. They are stored before the message is sent. Absent
   * if the acquirer knows requests by their transaction ids.
   *
   * @param request that of a reversal has no parameters
   * @param reversal of the message with the references `sentAs`; absent for a request. A message that is repeated
   *   instead of reversed keeps its references
   * @returns undefined: no references are free, and the message cannot be sent
   */
  references?(
    request: OpenRequest & Partial<Pick<AcquirerRequest, 'parameters' | 'hasStoredAccount' | 'offlineApproval'>>,
    reversal?: { readonly sentAs: string; readonly reason: ReversalReason },
  ): Promise<string | undefined>
  /** Whether the provider may redirect the shopper of any payment, such as to authenticate the holder of a card. */
  readonly redirectsShoppers?: boolean
  /** Whether `reverse` sends an offline sale that the acquirer has not received, until the acquirer answers. */
  readonly forwardsOfflineSales?: boolean
  /** Whether follow-ups and reversals contain the account number, which the vault lends while they are sent. */
  readonly needsAccountLater?: boolean
  /**
   * @param request its secrets are wiped as soon as the gateway stops waiting
   * @param sentAs the result of `references`
   */
  send(
    request: AcquirerRequest,
    sentAs?: string,
  ): Promise<AcquirerAnswer | NoAnswer | AnswerToReverse | RejectedMessage>
  /**
   * Reverses a request without an answer. Idempotent, whether or not the acquirer has received the request. A request
   * without `original` (PA, DB, CD) is always reversed, because the merchant got no result. A request that refers to a
   * payment, or reports an offline sale, may instead be repeated under the same id and reported as done.
   *
   * @param attempt for connectors with `references`
   * @param account for connectors with `needsAccountLater`; undefined if the number was erased
   * @param signal aborted when the gateway stops waiting and erases the account: nothing is sent after that
   */
  reverse(
    request: OpenRequest,
    attempt?: ReversalAttempt,
    account?: AcquirerAccount,
    signal?: AbortSignal,
  ): Promise<ReversalOutcome>
  /** Queries a pending payment. A connector without this method never answers `pending`. */
  inquire?(inquiry: Inquiry): Promise<AcquirerAnswer | NoAnswer>
  /** Reads a notification of the provider. Absent if the connector accepts none. */
  readNotification?(received: ReceivedNotification): NotificationHint
  /** Whether a connection to the acquirer is up. Absent if connections are opened for each request. */
  isReady?(): boolean
  /** Absent if the acquirer clears payments by rules of its own. */
  readonly clearing?: Clearing
  /** Tests each connection to the acquirer. Absent if connections are opened for each request. */
  testConnections?(): Promise<readonly ConnectionTest[]>
  /** Opens the connections to the acquirer, which are kept open until `close`. */
  open?(): void
  /** Ends the connections, once no request waits for an answer. */
  close?(): Promise<void>
}

export type Connector = LocalConnector | RemoteConnector
