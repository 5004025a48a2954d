/**
 * Every table as TypeScript sees it. One schema for all dialects: text ids, integer minor units, epoch milliseconds,
 * JSON only for opaque data that is echoed and never queried.
 *
 * Ids are time-ordered (registrations and checkouts: random) and every key starts with the id, then the merchant, so
 * that inserts append and a distributed database can still shard by merchant.
 */

/** One named value of the installation: the key-check value, the schema's birthday, the instance id. */
export interface InstallationRow {
  readonly name: string
  readonly value: string
}

export type EntityKind = 'psp' | 'division' | 'merchant' | 'channel'

/** A node of the tree psp → division → merchant → channel. `settings` is JSON, read by the gateway. */
export interface EntityRow {
  readonly id: string
  /** The merchant that this entity is or belongs to; '' above merchants. */
  readonly merchant: string
  readonly parent_id: string | null
  readonly kind: EntityKind
  readonly name: string
  readonly settings: string
  readonly created_at_ms: number
}

/** The risk rules of an entity. `rules` is JSON, read by the gateway; null where it has none of its own any more. */
export interface RiskRulesRow {
  readonly entity_id: string
  readonly rules: string | null
  readonly changed_at_ms: number
}

/** An access token, kept only as a keyed hash. Several may be valid for one entity at a time (overlapping rotation). */
export interface AccessTokenRow {
  readonly id: string
  readonly entity_id: string
  /** The user that legacy clients name in `authentication.userId`; shown in the back office. */
  readonly user_id: string
  readonly hash: Uint8Array
  /** What its bearer may do beyond what everyone may: words with a space between them; '' for nothing. */
  readonly rights: string
  readonly created_at_ms: number
  readonly expires_at_ms: number | null
  readonly revoked_at_ms: number | null
}

/**
 * The root of a tree of transactions: a payment (PA, DB, CD), a registration (RG), or a risk check that stands alone
 * (RI). Only its version ever changes.
 */
export interface TreeRow {
  readonly id: string
  readonly merchant: string
  readonly version: number
}

/**
 * One transaction. The root's `root_id` is its own `id`. It is immutable, but that one which is not decided yet, as its
 * `status` says, becomes once what was decided.
 */
export interface TransactionRow {
  readonly root_id: string
  readonly id: string
  readonly merchant: string
  readonly channel: string
  /** The transaction this one refers to; null for a root. */
  readonly referenced_id: string | null
  readonly type: string
  /** ACK, NOK; SENT or PENDING: not decided yet; EXPIRED: not decided in time, which may still change once. */
  readonly status: string
  readonly amount_minor: number | null
  readonly currency: string | null
  readonly brand: string | null
  /** CC card, DD direct debit, VA virtual account… (the contract's paymentMethods). */
  readonly method: string | null
  readonly test_mode: string | null
  readonly account_id: string | null
  readonly registration_id: string | null
  /** Its id at the network, or the acquirer, if it used or stored account data on file: later charges may name it. */
  readonly network_transaction_id: string | null
  /** Of a charge that the merchant made: that id of what began the agreement. */
  readonly initial_transaction_id: string | null
  readonly merchant_transaction_id: string | null
  readonly result_code: string
  /** JSON: facts of the transaction that rules need later: numberOfCaptures, sequence FINAL, expiry. */
  readonly facts: string
  /** JSON: request structures that the answer echoes. Never a secret. */
  readonly echo: string
  /** JSON: what answers carry beyond these columns: result, details, descriptor, card. Never a secret. */
  readonly outcome: string
  readonly created_at_ms: number
}

/** A card or account as a payment or registration holds it: what may be shown, and the sealed number. */
export interface AccountRow {
  readonly id: string
  readonly merchant: string
  readonly kind: string
  readonly brand: string | null
  readonly bin: string | null
  readonly last4: string | null
  readonly holder: string | null
  readonly expiry_month: string | null
  readonly expiry_year: string | null
  /** JSON: further fields of the account as answers show them. */
  readonly details: string
  readonly fingerprint: Uint8Array | null
  /** The key that the fingerprint was made with, by its id in the key ring. */
  readonly fingerprint_key_id: string | null
  /** Sealed number, null once shredded. */
  readonly sealed: Uint8Array | null
  readonly wrapped_key: Uint8Array | null
  /** The key that wraps `wrapped_key`, by its id in the key ring. */
  readonly key_id: string | null
  readonly created_at_ms: number
}

/** A stored payment detail that later payments refer to. The id is also the id of its RG transaction. */
export interface RegistrationRow {
  readonly id: string
  readonly merchant: string
  readonly channel: string
  readonly account_id: string
  readonly created_at_ms: number
  /** When its time runs out, by what was known when the row was written. */
  readonly expires_at_ms: number
  readonly extended_at_ms: number | null
  readonly verified_at_ms: number | null
  /** The network's id of the first transaction that the customer made with it. */
  readonly initial_transaction_id: string | null
  /** JSON: such ids of its newest agreements, by their type. */
  readonly agreements: string
  /** When its account data was erased. */
  readonly deleted_at_ms: number | null
}

/**
 * One payment as it counts for later ones that share something with it: a card, an address. Written only where risk
 * rules count, so that all other payments pay nothing for it.
 */
export interface VelocityRow {
  /** What is counted, such as `payment|customer.ip|192.0.2.1`; a card by its fingerprint. */
  readonly counter: string
  readonly merchant: string
  readonly created_at_ms: number
  /** The transaction's. */
  readonly id: string
  /** What was approved; 0 of one that was refused. */
  readonly amount_minor: number
  readonly currency: string
}

/** A claimed Idempotency-Key with the answer it got. */
export interface IdempotencyRow {
  /** Keyed hash (hex) of the key and the entity that sent it. */
  readonly id: string
  readonly merchant: string
  /** Keyed hash (hex) of the body without its cvv. */
  readonly fingerprint: string
  readonly http_status: number
  readonly result_code: string
  readonly answer: string
  readonly created_at_ms: number
  /** From then on the key may be sent with another request. */
  readonly expires_at_ms: number
}

/** What may not be there twice while it lasts: a merchantTransactionId, or the same payment in a short time. */
export interface UniqueKeyRow {
  /** Keyed hash (hex) of what is unique. */
  readonly id: string
  readonly merchant: string
  /** The transaction that was the first to have it. */
  readonly transaction_id: string
  readonly created_at_ms: number
  /** From then on another may have it; null: never. */
  readonly expires_at_ms: number | null
}

/** The tables that processes hold in memory as a whole. */
export type WatchedTable = 'installation' | 'entity' | 'risk_rules' | 'access_token' | 'webhook' | 'webhook_key'

/** Something that is to be done at a time, and again later where that fails. */
export interface JobRow {
  readonly id: string
  readonly merchant: string
  /** What is done. */
  readonly kind: string
  /** The jobs of a kind that are done beside each other, however the others fare: a webhook's id; '' for all. */
  readonly lane: string
  /** What it is done about: an event, a transaction, a schedule, a registration. */
  readonly subject_id: string
  readonly due_at_ms: number
  /** How often it was tried since it was added or taken up again. */
  readonly attempts: number
  /** When it was given up, until an operator takes it up again. */
  readonly parked_at_ms: number | null
  /** When it was done. Only jobs that somebody may ask for later are kept that long. */
  readonly done_at_ms: number | null
  /** Why the last attempt failed. */
  readonly last_error: string | null
  /**
   * Until when it is the business of the process that took it; null: of nobody, or nobody shares the storage. By the
   * clock of the database, which no test clock moves. Who changes a job lets go of it: sets this to null.
   */
  readonly held_until_ms: number | null
  readonly created_at_ms: number
  /** Jobs of a lane that are done one after the other share a line: of deliveries the event's tree. null: none. */
  readonly line: string | null
  /** Its place in the line: jobs with lower ones come first, of two with the same one the job with the lower id. */
  readonly line_place: number | null
}

/** What a merchant is told of: written along with the change, where an endpoint wants it. */
export interface EventRow {
  /** Time-ordered. Receivers tell by it what they have had already. */
  readonly id: string
  readonly merchant: string
  /** Of whose entity it is: endpoints of the entity and of those above it are told. */
  readonly entity_id: string
  /** The tree in which something happened. A webhook gets its events in their order. */
  readonly root_id: string
  readonly type: string
  readonly action: string | null
  /** JSON: the answer, as it was given. Never a secret. */
  readonly payload: string
  readonly created_at_ms: number
}

/** One attempt to tell an endpoint of an event. */
export interface DeliveryAttemptRow {
  /** The job that it was an attempt of. */
  readonly delivery_id: string
  readonly merchant: string
  /** From 1, however often the delivery was taken up again. */
  readonly number: number
  readonly started_at_ms: number
  readonly duration_ms: number
  /** null where there was no answer. */
  readonly http_status: number | null
  /** Why it is no success; null of one. */
  readonly error: string | null
  /** What the endpoint answered, cut off. */
  readonly answer: string
}

/** An endpoint that is told of events. */
export interface WebhookRow {
  readonly id: string
  readonly merchant: string
  readonly entity_id: string
  readonly url: string
  /** JSON: types, field filter, wrapper. */
  readonly settings: string
  readonly state: string
  readonly created_at_ms: number
  readonly changed_at_ms: number
  readonly deleted_at_ms: number | null
}

/** A key of a webhook, sealed as account numbers are. While keys are replaced, several sign. */
export interface WebhookKeyRow {
  readonly id: string
  readonly merchant: string
  readonly webhook_id: string
  readonly sealed: Uint8Array
  readonly wrapped_key: Uint8Array
  readonly key_id: string
  readonly created_at_ms: number
  /** From then on deliveries are encrypted with it; null until a test delivery has passed. */
  readonly starts_at_ms: number | null
  /** From then on it signs no more. */
  readonly ends_at_ms: number | null
}

/** A plan of charges to a registration. */
export interface ScheduleRow {
  /** The id of its SD or RS transaction. */
  readonly id: string
  readonly merchant: string
  readonly channel: string
  readonly registration_id: string
  /** The id of the first plan of the chain that it belongs to: each reschedule adds one. */
  readonly chain_id: string
  /** JSON: the job's fields and the request that each run sends, and by which clock. Never a secret. */
  readonly plan: string
  /** Whether it is the live plan of its chain. */
  readonly active: number
  /** The planned time of the last run that was made, or passed over. */
  readonly last_run_at_ms: number | null
  /** How often that run was attempted, where it was declined and will be attempted again; else 0. */
  readonly attempts: number
  /** When the first of these attempts was made. */
  readonly attempted_at_ms: number | null
  /** From then on nothing runs. */
  readonly ends_at_ms: number | null
  /** When it was called off, to end at `ends_at_ms`. */
  readonly descheduled_at_ms: number | null
  /** Why it is not active any more. */
  readonly ended: string | null
  readonly created_at_ms: number
}

/** A payment or registration that a merchant has prepared, and the shopper completes in the merchant's page. */
export interface CheckoutRow {
  /** Random: whoever has it may pay. */
  readonly id: string
  readonly merchant: string
  /** The channel that it was prepared on; with dispatching the merchant. */
  readonly entity_id: string
  /** JSON: the parameters that were sent, by name. Never a secret. */
  readonly parameters: string
  /** The last payment or registration that was made of it. */
  readonly transaction_id: string | null
  /** When the shopper first submitted it. */
  readonly submitted_at_ms: number | null
  /** When its final result was first read. */
  readonly read_at_ms: number | null
  readonly created_at_ms: number
  readonly expires_at_ms: number
  /** Attempts that were declined before the last one; null counts as 0. */
  readonly declines: number | null
}

/** A shopper who was sent elsewhere to go on with a payment: to a bank, a wallet, or for 3-D Secure. */
export interface SessionRow {
  /** Random: it stands in the addresses that lead back. */
  readonly id: string
  readonly merchant: string
  readonly transaction_id: string
  readonly checkout_id: string | null
  readonly kind: string
  /** JSON: the parameters of the payment, by name. Never a secret. */
  readonly parameters: string
  /** JSON: what is known of it so far, by its kind. */
  readonly progress: string
  readonly created_at_ms: number
  /** From then on the payment is over, unless its end is heard of later. */
  readonly expires_at_ms: number
  /** From then on nothing of it is kept. */
  readonly forgotten_at_ms: number
}

export interface Schema {
  readonly installation: InstallationRow
  readonly entity: EntityRow
  readonly risk_rules: RiskRulesRow
  readonly access_token: AccessTokenRow
  readonly tree: TreeRow
  readonly payment_transaction: TransactionRow
  readonly account: AccountRow
  readonly registration: RegistrationRow
  readonly velocity: VelocityRow
  readonly idempotency_key: IdempotencyRow
  readonly unique_key: UniqueKeyRow
  readonly job: JobRow
  readonly event: EventRow
  readonly delivery_attempt: DeliveryAttemptRow
  readonly webhook: WebhookRow
  readonly webhook_key: WebhookKeyRow
  readonly schedule: ScheduleRow
  readonly checkout: CheckoutRow
  readonly visit: SessionRow
}

/** Tables that a unit of work fills; the others are written through its guards, its claim and its unique keys. */
export type WritableTable = Exclude<keyof Schema, 'tree' | 'idempotency_key' | 'unique_key'>

/** Tables whose rows others may be changing at the same time, so that a change names the row that it starts from. */
export type ChangeableTable =
  | 'payment_transaction'
  | 'account'
  | 'idempotency_key'
  | 'job'
  | 'schedule'
  | 'checkout'
  | 'visit'
  | 'entity'
  | 'access_token'
  | 'webhook'

/** Tables whose rows are removed one day. */
export type RemovableTable =
  | 'unique_key'
  | 'job'
  | 'event'
  | 'delivery_attempt'
  | 'webhook_key'
  | 'velocity'
  | 'checkout'
  | 'visit'
