/**
 * The type of a column in the database, which may be null if it ends in `?`. An integer is a safe integer, bytes are a
 * Uint8Array.
 */
export type StoredType = 'text' | 'integer' | 'bytes' | 'text?' | 'integer?' | 'bytes?'

/** The type of a column. packed: a text, stored with the other packed texts of its row (packed-columns.ts). */
export type ColumnType = StoredType | 'packed'

/**
 * A kind of write to a table. add: inserts a row; a row with a stored key breaks a constraint. replace: inserts a row,
 * or replaces the row with its key. accumulate: inserts a row, or adds its integers to the row with its key. change:
 * replaces a row by a compare-and-set. remove: removes a row by a compare-and-set.
 */
type Write = 'add' | 'replace' | 'accumulate' | 'change' | 'remove'

interface Table {
  readonly key: readonly string[]
  readonly writes: readonly Write[]
  /** In the order in which rows are flattened and bound. */
  readonly columns: Readonly<Record<string, ColumnType>>
}

/**
 * All tables, with one schema for all dialects: text ids, integer minor units, epoch milliseconds, and JSON for data
 * that is never queried. A test compares the schema with the database.
 *
 * Ids are time-ordered, but those of registrations, checkouts, sessions and access tokens are random, and those of
 * idempotency keys and unique keys are keyed hashes. The key of a table that grows with payments starts with the id and
 * ends with the merchant, so that inserts append and a distributed database can still shard by merchant. The key of a
 * transaction starts with its root, so that a tree is one range; the key of a velocity row starts with its counter and
 * time, and the key of a delivery attempt with its delivery and number.
 */
const declared = {
  /** A named value of the installation, such as the key-check value. */
  installation: table(['name'], ['replace'], {
    name: 'text',
    value: 'text',
  }),
  /** A node of the tree psp → division → merchant → channel. `settings` is JSON. */
  entity: table(['id'], ['replace', 'change'], {
    id: 'text',
    /** The merchant that the entity is or belongs to; '' above merchants. */
    merchant: 'text',
    parent_id: 'text?',
    kind: 'text',
    name: 'text',
    settings: 'text',
    created_at_ms: 'integer',
  }),
  /** The risk rules of an entity. `rules` is JSON; null after the entity's own rules were removed. */
  risk_rules: table(['entity_id'], ['replace'], {
    entity_id: 'text',
    rules: 'text?',
    changed_at_ms: 'integer',
  }),
  /** The routes of an entity to connectors. `routes` is JSON; null after the entity's own routes were removed. */
  route_list: table(['entity_id'], ['replace'], {
    entity_id: 'text',
    routes: 'text?',
    changed_at_ms: 'integer',
  }),
  /** An account at an acquirer or provider, which operators set up. A deleted one keeps its name. */
  connector: table(['id'], ['add', 'change'], {
    /** Its name, by which routes and attempts refer to it. */
    id: 'text',
    /** `iso8583`, …: the protocol, which determines the members of settings and credentials. */
    kind: 'text',
    /** JSON. Never a secret. */
    settings: 'text',
    /** The credentials, JSON sealed by the vault; null if the account needs none. */
    sealed: 'bytes?',
    wrapped_key: 'bytes?',
    key_id: 'text?',
    /** The time of the last change of the credentials; null if there are none. */
    credentials_at_ms: 'integer?',
    /** `enabled`, or `disabled`: routes pass it over, and it processes only follow-ups of its payments. */
    state: 'text',
    created_at_ms: 'integer',
    changed_at_ms: 'integer',
    deleted_at_ms: 'integer?',
  }),
  /** An access token, stored as a keyed hash. An entity may have several valid tokens, so that rotations overlap. */
  access_token: table(['id'], ['replace', 'change'], {
    id: 'text',
    entity_id: 'text',
    /** The user that legacy clients name in `authentication.userId`; shown in the back office. */
    user_id: 'text',
    hash: 'bytes',
    /** Additional rights (`chargeback`, `system`), separated by spaces; '' for none. */
    rights: 'text',
    created_at_ms: 'integer',
    expires_at_ms: 'integer?',
    revoked_at_ms: 'integer?',
  }),
  /**
   * A tree of transactions, by its root: a payment (PA, DB, CD), a registration (RG), a standalone risk check (RI) or a
   * standalone authentication (3D). Only its version changes. A tree without a row has version 1, because most payments
   * never have a follow-up.
   */
  tree: table(['id', 'merchant'], ['add'], {
    id: 'text',
    merchant: 'text',
    version: 'integer',
  }),
  /**
   * A transaction. The `root_id` of a root is its own `id`. An undecided transaction changes until it is decided; a
   * decided transaction is immutable.
   */
  payment_transaction: table(['root_id', 'id', 'merchant'], ['add', 'change'], {
    root_id: 'text',
    id: 'text',
    merchant: 'text',
    channel: 'text',
    /** The transaction that this one refers to; null for a root. */
    referenced_id: 'text?',
    type: 'text',
    /** Decided: ACK, NOK. Undecided: SENT, PENDING. EXPIRED: pending for too long; a late approval still changes it. */
    status: 'text',
    amount_minor: 'integer?',
    currency: 'text?',
    brand: 'text?',
    /** CC card, DD direct debit, VA virtual account… (paymentMethods of the contract). */
    method: 'text?',
    test_mode: 'text?',
    account_id: 'text?',
    registration_id: 'text?',
    /** The id at the network or acquirer if account data on file were used or stored; later charges may refer to it. */
    network_transaction_id: 'text?',
    /** For a merchant-initiated charge, the network's id of the transaction that began the agreement. */
    initial_transaction_id: 'text?',
    merchant_transaction_id: 'text?',
    result_code: 'text',
    /** JSON: facts that later rules need, such as numberOfCaptures, sequence FINAL and expiry. */
    facts: 'packed',
    /** JSON: parameters of the request that the answer echoes. Never a secret. */
    echo: 'packed',
    /** JSON: parts of the answer beyond these columns: result, details, descriptor, card. Never a secret. */
    outcome: 'packed',
    created_at_ms: 'integer',
  }),
  /**
   * The progress of the reader of all transactions in the order of their ids (`transaction-feed.ts`). One row, with the
   * id `transactions`.
   */
  transaction_feed: table(['id'], ['add', 'change'], {
    id: 'text',
    /** The storage also writes a row of `late_transaction` for each transaction below this id that it writes. */
    closed_before: 'text',
    /** The transactions below this id were read. At most `closed_before`. */
    read_before: 'text',
  }),
  /** A transaction that was added or changed after the feed was closed at its id. The storage writes it. */
  late_transaction: table(['id', 'status', 'merchant'], ['remove'], {
    id: 'text',
    /** The new status of the transaction: a later change of the same transaction has a row of its own. */
    status: 'text',
    merchant: 'text',
  }),
  /** An entry of the ledger. A table of the domain has the accounts that each kind debits and credits. */
  posting: table(['transaction_id', 'kind', 'merchant'], ['add'], {
    /** The transaction; or `settlement/`, the id of a settlement file, and an id, for rows of the file. */
    transaction_id: 'text',
    kind: 'text',
    merchant: 'text',
    /** The name of the connector of the acquirer; '' for events without an acquirer. */
    acquirer: 'text',
    currency: 'text',
    /** The business day, in days since 1970. */
    day: 'integer',
    amount_minor: 'integer',
    fee_minor: 'integer',
    /** The acquirer's reference of the transaction, by which settlement files name it. */
    reference: 'text?',
  }),
  /** The sums of the entries of a merchant, an acquirer, a currency and a kind on one business day. */
  ledger_day: table(['merchant', 'day', 'acquirer', 'currency', 'kind'], ['accumulate'], {
    merchant: 'text',
    day: 'integer',
    acquirer: 'text',
    currency: 'text',
    kind: 'text',
    postings: 'integer',
    amount_minor: 'integer',
    fee_minor: 'integer',
  }),
  /** The count and the amount of the decided transactions of a merchant on one day (UTC), by their traits. */
  transaction_day: table(
    ['merchant', 'day', 'channel', 'type', 'method', 'brand', 'currency', 'acquirer', 'country', 'outcome'],
    ['accumulate'],
    {
      merchant: 'text',
      /** The day of the request, in days since 1970. */
      day: 'integer',
      channel: 'text',
      type: 'text',
      method: 'text',
      brand: 'text',
      currency: 'text',
      acquirer: 'text',
      country: 'text',
      /** `ACK`, or the group of the result code of a declined transaction. */
      outcome: 'text',
      transactions: 'integer',
      amount_minor: 'integer',
    },
  ),
  /** The transactions of an acquirer of one business day, whose totals are agreed with the acquirer. */
  clearing_batch: table(['id'], ['add', 'change'], {
    /** The name of the connector and the business day (yyyy-MM-dd), separated by `/`. */
    id: 'text',
    acquirer: 'text',
    /** The business day, in days since 1970. */
    day: 'integer',
    /** `open`, `agreed`, or `differs`: the acquirer has other totals. */
    state: 'text',
    /** JSON: the totals by currency, and those of the acquirer where they differ. */
    totals: 'text',
    /** Comparisons with the acquirer. */
    attempts: 'integer',
    changed_at_ms: 'integer',
    /** JSON: the file that presents the captures of the day; null: their messages have presented them. */
    file: 'text?',
  }),
  /** A settlement file of an acquirer or bank. */
  settlement_file: table(['id'], ['add', 'change'], {
    /** The first 32 digits of the digest: the same content is the same file. */
    id: 'text',
    /** SHA-256 of the content, hex. */
    digest: 'text',
    /** The id of the content's parts. */
    content_id: 'text',
    /** The name under which the file arrived, for people. */
    name: 'text',
    /** `upload`, `folder` or `sftp`. */
    arrived_by: 'text',
    /** `received`; then `quarantined`, or `checked`: the whole file is valid; then `read`: all rows are stored. */
    state: 'text',
    format: 'text?',
    institute: 'text?',
    /** The institute's id of the file. */
    file_id: 'text?',
    /** JSON: the facts that the file states, and its totals. */
    facts: 'text?',
    /** JSON: the reason of the quarantine, with line and column. Never a value of the file. */
    fault: 'text?',
    size_bytes: 'integer',
    rows: 'integer',
    /** Rows that are stored, of which each is matched or not. */
    rows_read: 'integer',
    created_at_ms: 'integer',
    changed_at_ms: 'integer',
    /** Bank entries that are stored; null: none. */
    bank_entries_read: 'integer?',
    /** The entry of a bank account that pays the sum of the file, or that deducts it. */
    bank_entry_id: 'text?',
    /**
     * Of a bank statement with balances, also of one that is quarantined because it does not adjoin the others: a
     * digest of account and currency, the day of the closing balance and the number, separated by slashes.
     */
    statement: 'text?',
  }),
  /** A part of the content of a settlement file, compressed (gzip). */
  settlement_content: table(['content_id', 'number'], ['add', 'remove'], {
    /** Time-ordered. */
    content_id: 'text',
    /** From 1. */
    number: 'integer',
    bytes: 'bytes',
  }),
  /** A row of a settlement file. */
  settlement_row: table(['file_id', 'number'], ['add', 'change'], {
    file_id: 'text',
    /** The place among the rows of the file, from 1. */
    number: 'integer',
    /** The merchant and the channel of the matched transaction, or those to which the row belongs; '' if unknown. */
    merchant: 'text',
    channel: 'text',
    kind: 'text',
    /** MATCHED, MULTIPLE_MATCHES or NOT_MATCHED. */
    status: 'text',
    /** The matched transaction. */
    transaction_id: 'text?',
    /** JSON: the transactions among which the match is not unique. */
    candidates: 'text?',
    /** The rule that found the transaction, or the reason why none was found. */
    reason: 'text',
    /** yyyy-MM-dd. */
    settled_on: 'text',
    /** JSON: the row as it was read, and the references of its matched transaction. */
    row: 'text',
    /** The chargeback, or reversal of one, that was recorded for the row; '' if the payment permits none. */
    chargeback_id: 'text?',
    changed_at_ms: 'integer',
    /** The delivery in whose file the row is; null: it is in none yet. */
    delivery_id: 'text?',
    /** The settlement of the merchant's reports to which the row belongs; null while the row has no merchant. */
    aggregation_id: 'text?',
    /** The time of the transaction, by which reports sort the rows. */
    presented_at_ms: 'integer?',
    /**
     * The name of the connector of the acquirer; '' if it is unknown, or several have the merchant's id. Null: the row
     * was stored before rows had entries of the ledger.
     */
    acquirer: 'text?',
    /** The booking of a bank that the row states, hex: rows of other messages about the same booking have it, too. */
    booking: 'text?',
  }),
  /**
   * The version of all matches of rows with transactions, in one row. Each unit that matches rows changes it by a
   * compare-and-set, so that no two units match rows by the same facts.
   */
  settlement_matching: table(['id'], ['add', 'change'], {
    id: 'text',
    /** Units that have matched rows. */
    changes: 'integer',
  }),
  /** A public key with which a merchant logs in to the SFTP server. */
  sftp_key: table(['id'], ['add', 'change', 'remove'], {
    id: 'text',
    /** The merchant, whose id is the name of the user. */
    entity_id: 'text',
    label: 'text',
    /** A line of OpenSSH without its comment. */
    public_key: 'text',
    /** `SHA256:` and the digest of the key. */
    fingerprint: 'text',
    created_at_ms: 'integer',
    last_used_at_ms: 'integer?',
    revoked_at_ms: 'integer?',
  }),
  /** An account at an SFTP server, to which files are delivered or from which they are pulled. */
  sftp_account: table(['id'], ['add', 'change'], {
    id: 'text',
    /** The entity whose files are delivered; null: settlement files, which belong to no entity. */
    entity_id: 'text?',
    purpose: 'text',
    /** JSON: server, folder, and the options of the purpose. Never a secret. */
    settings: 'text',
    /** The password or the private key, JSON sealed by the vault; null after the account was deleted. */
    sealed: 'bytes?',
    wrapped_key: 'bytes?',
    key_id: 'text?',
    /** The time of the last change of the credentials. */
    credentials_at_ms: 'integer?',
    /** `enabled` or `disabled`. */
    state: 'text',
    created_at_ms: 'integer',
    changed_at_ms: 'integer',
    deleted_at_ms: 'integer?',
  }),
  /** A file for an SFTP account, of one day. */
  sftp_delivery: table(['id'], ['add', 'change'], {
    /** The account and the day, separated by `-`. */
    id: 'text',
    account_id: 'text',
    /** yyyy-MM-dd. */
    day: 'text',
    file_name: 'text',
    /**
     * `composing`, then `waiting` for its transfer, then `delivered`; `erasing` and `erased`: its content is being
     * removed, or was.
     */
    state: 'text',
    rows: 'integer',
    parts: 'integer',
    size_bytes: 'integer',
    /** The job of the transfer; null before and after it. */
    job_id: 'text?',
    created_at_ms: 'integer',
    changed_at_ms: 'integer',
    delivered_at_ms: 'integer?',
  }),
  /** A part of the content of a delivery, compressed (gzip). */
  sftp_delivery_part: table(['delivery_id', 'number'], ['add', 'remove'], {
    delivery_id: 'text',
    /** From 1. */
    number: 'integer',
    /** The place of the first byte in the file. */
    start_bytes: 'integer',
    bytes: 'bytes',
  }),
  /** A file of an SFTP account, in the version that was pulled or refused last. */
  pulled_file: table(['account_id', 'name'], ['replace'], {
    account_id: 'text',
    name: 'text',
    size_bytes: 'integer',
    modified_at_ms: 'integer',
    /** `received`, `repeated`, or the reason of the refusal. */
    outcome: 'text',
    /** The settlement file with its content. */
    file_id: 'text?',
    pulled_at_ms: 'integer',
  }),
  /** The sums of the rows of one settlement of a merchant's reports, by the kinds of its rows. */
  settlement_sum: table(
    [
      'merchant',
      'settled_on',
      'aggregation_id',
      'kind',
      'type',
      'cashflow',
      'outcome',
      'channel',
      'clearing_merchant_id',
      'settlement_id',
      'currency',
    ],
    ['accumulate'],
    {
      merchant: 'text',
      settled_on: 'text',
      /** A digest of channel, merchant's id at the institute, settlement id, currency and day. */
      aggregation_id: 'text',
      kind: 'text',
      type: 'text',
      cashflow: 'text',
      /** SUCCESS or FAILED. */
      outcome: 'text',
      channel: 'text',
      clearing_merchant_id: 'text',
      settlement_id: 'text',
      /** Of the sums: the currency of settlement. */
      currency: 'text',
      /** Rows; 0 after all have left the settlement. */
      records: 'integer',
      amount_minor: 'integer',
      fee_minor: 'integer',
      /** Changes of rows so far, by which a report finds out whether it is still current. */
      changes: 'integer',
    },
  ),
  /** The snapshot of a report that its first page has fixed, for one caller and one set of parameters. */
  report_snapshot: table(['id'], ['replace', 'remove'], {
    /** A digest of the caller and the parameters. */
    id: 'text',
    /** The id of the pages. */
    content_id: 'text',
    pages: 'integer',
    /** The changes of the sums when the snapshot was made. */
    changes: 'integer',
    created_at_ms: 'integer',
    expires_at_ms: 'integer',
  }),
  /** A page of a snapshot. */
  report_page: table(['content_id', 'number'], ['add', 'remove'], {
    content_id: 'text',
    /** From 1. */
    number: 'integer',
    /** JSON: the items of the page: sums, or the places of rows and what they were matched with. */
    items: 'text',
    expires_at_ms: 'integer',
  }),
  /** The dispute of a transaction: its stage. The amounts follow from the transactions. */
  dispute: table(['id'], ['add', 'change'], {
    /** The disputed transaction. */
    id: 'text',
    merchant: 'text',
    channel: 'text',
    stage: 'text',
    /** The reason as the network states it; null: none was stated. */
    reason: 'text?',
    /** The day on which the stage began, yyyy-MM-dd. */
    received_on: 'text',
    /** The last day of an answer, yyyy-MM-dd; null: no answer is needed, or its period is not known. */
    due_on: 'text?',
    /** The time of the warning before `due_on`. */
    warned_at_ms: 'integer?',
    /** JSON: the events of the dispute with the stage after each. */
    history: 'text',
    /** Incremented by every change, also of the evidence. */
    version: 'integer',
    created_at_ms: 'integer',
    changed_at_ms: 'integer',
  }),
  /** A file of evidence, sealed by the vault. */
  dispute_evidence: table(['id'], ['add', 'change', 'remove'], {
    /** Time-ordered. */
    id: 'text',
    dispute_id: 'text',
    /** `receipt`, `proofOfDelivery`, … */
    kind: 'text',
    /** The name of the file, for people. */
    name: 'text',
    content_type: 'text',
    size_bytes: 'integer',
    /** SHA-256 of the file, hex. */
    digest: 'text',
    /** The number of its parts. */
    parts: 'integer',
    wrapped_key: 'bytes',
    key_id: 'text',
    /** 1 once all parts are stored, else 0. */
    stored: 'integer',
    /** The time at which the file was sent to the issuer; null: it can be deleted. */
    sent_at_ms: 'integer?',
    created_at_ms: 'integer',
  }),
  /** A part of a sealed file of evidence. */
  dispute_evidence_part: table(['evidence_id', 'number'], ['add', 'remove'], {
    evidence_id: 'text',
    /** From 1. */
    number: 'integer',
    bytes: 'bytes',
  }),
  /** The fees of an entity from a time on. */
  fee_plan: table(['entity_id', 'starts_at_ms'], ['add'], {
    entity_id: 'text',
    starts_at_ms: 'integer',
    /** JSON; null: from this time on the plan of the entity above applies. */
    plan: 'text?',
    created_at_ms: 'integer',
  }),
  /** The terms of an entity from a time on: value date, reserve and payouts. */
  merchant_terms: table(['entity_id', 'starts_at_ms'], ['add', 'change'], {
    entity_id: 'text',
    starts_at_ms: 'integer',
    /** JSON, without the account number; null: from this time on the terms of the entity above apply. */
    terms: 'text?',
    /** The sealed number of the account to which payouts go; null without such an account. */
    sealed: 'bytes?',
    wrapped_key: 'bytes?',
    key_id: 'text?',
    created_at_ms: 'integer',
  }),
  /**
   * The progress of the account of a merchant. Each unit that decides about the available balance changes this row by a
   * compare-and-set, so that no two processes decide about the same balance.
   */
  merchant_account: table(['merchant'], ['add', 'change'], {
    merchant: 'text',
    /** The last business day whose funds have become available, in days since 1970. */
    available_to: 'integer',
    /** The last day on which amounts were reserved that are released. */
    released_to: 'integer',
    /** The last day whose scheduled payout was decided. */
    paid_to: 'integer',
    /** Units that have changed the row. */
    changes: 'integer',
  }),
  /** An instruction to pay a merchant. */
  payout: table(['id'], ['add', 'change'], {
    /** Also the EndToEndId in the bank's statement. */
    id: 'text',
    merchant: 'text',
    currency: 'text',
    amount_minor: 'integer',
    /** `instructed`; then `cancelled`, or `confirmed` by a bank entry; then `returned`. */
    state: 'text',
    /** `operator` or `schedule`. */
    origin: 'text',
    /** The amount that was requested; null: all that was available. */
    requested_minor: 'integer?',
    /** The entity whose terms name the account, and the beginning of the terms. */
    terms_entity_id: 'text',
    terms_starts_at_ms: 'integer',
    holder: 'text',
    last4: 'text',
    created_at_ms: 'integer',
    changed_at_ms: 'integer',
  }),
  /** An entry of a bank account of the operator, read from a settlement file. */
  bank_entry: table(['id'], ['add', 'change'], {
    /** A hash of the account and the entry: the same booking in two files is the same entry. */
    id: 'text',
    /** The first file with the entry, and its place among the bank entries of the file, from 1. */
    file_id: 'text',
    number: 'integer',
    account: 'text',
    /** yyyy-MM-dd. */
    booked_on: 'text',
    value_on: 'text?',
    amount_minor: 'integer',
    currency: 'text',
    /** CREDIT or DEBIT. */
    direction: 'text',
    booking: 'text',
    /** The bank's reference. */
    reference: 'text?',
    end_to_end_id: 'text?',
    /** The part that rows of the file state, in minor units; negative: they lower the balance. */
    rows_minor: 'integer',
    /** `explained` by other records, `unmatched`, or `assigned` by an operator. */
    state: 'text',
    /** Why it is unmatched, or the operator's reason; else ''. */
    reason: 'text',
    /** The payout that it confirms or returns. */
    payout_id: 'text?',
    /** JSON: what explains it; null: nothing, or rows of the file. */
    explanation: 'text?',
    /** Assignments and their removals. Each has entries of its own in the ledger. */
    changes: 'integer',
    created_at_ms: 'integer',
    changed_at_ms: 'integer',
  }),
  /**
   * One message to an acquirer across a network. It is stored before it is sent, so that its reversal can name it. A
   * transaction that is sent again, on another route, has an attempt for each. The verification of an account that the
   * acquirer declines has no transaction.
   */
  acquirer_attempt: table(['transaction_id', 'id', 'merchant'], ['add', 'change'], {
    transaction_id: 'text',
    id: 'text',
    merchant: 'text',
    /** `request`, `verification` of an account, or `reversal` of a request without an answer. */
    kind: 'text',
    /** The account at an acquirer, by the name of its connector. */
    connector: 'text',
    /** JSON: the references under which the acquirer knows the message. Never account data. */
    sent_as: 'text',
    /** The response to a request, or else its result code; null while it is unknown, and of a reversal. */
    outcome: 'text?',
    created_at_ms: 'integer',
    /** The business day to which the acquirer assigns the transaction, in days since 1970; null: it states none. */
    settlement_day: 'integer?',
  }),
  /** A terminal id of an acquirer account. The process that leases it draws its trace numbers. */
  terminal: table(['id'], ['add', 'change'], {
    /** The name of the connector and the terminal id, separated by `/`. */
    id: 'text',
    /** The process that leases the terminal; null before its first lease. */
    held_by: 'text?',
    /** The end of the lease, epoch milliseconds. */
    held_until_ms: 'integer',
    /** The day of `next_trace`, in days since 1970 in UTC: the numbers begin again each day. */
    day: 'integer',
    /**
     * The offset of the day's trace numbers times 1,000,000, plus the position of the first number that was not
     * reserved yet, from 1.
     */
    next_trace: 'integer',
  }),
  /**
   * The declines of a card at a merchant that limit further attempts. Written only when an issuer declines.
   */
  card_declines: table(['id', 'merchant'], ['replace', 'change', 'remove'], {
    /** Keyed hash (hex) of the merchant and the fingerprint of the card. */
    id: 'text',
    merchant: 'text',
    /** JSON: the times of the declines, and the advice of the issuer. Never account data. */
    declines: 'text',
    changed_at_ms: 'integer',
    /** The time from which the declines limit nothing. */
    expires_at_ms: 'integer',
  }),
  /** The card or account of a payment or registration: the masked account and the sealed number. */
  account: table(['id', 'merchant'], ['replace', 'change'], {
    id: 'text',
    merchant: 'text',
    kind: 'text',
    brand: 'text?',
    bin: 'text?',
    last4: 'text?',
    holder: 'text?',
    expiry_month: 'text?',
    expiry_year: 'text?',
    /** JSON: further fields of the masked account. */
    details: 'text',
    fingerprint: 'bytes?',
    /** The key of the fingerprint, by its id in the key ring. */
    fingerprint_key_id: 'text?',
    /** The sealed number; null after erasure. */
    sealed: 'bytes?',
    wrapped_key: 'bytes?',
    /** The key that wraps `wrapped_key`, by its id in the key ring. */
    key_id: 'text?',
    created_at_ms: 'integer',
  }),
  /** Stored payment data that later payments refer to. The id is also the id of its RG transaction. */
  registration: table(['id', 'merchant'], ['replace'], {
    id: 'text',
    merchant: 'text',
    channel: 'text',
    account_id: 'text',
    created_at_ms: 'integer',
    /** The expiry as of the last write of the row. A later payment may postpone the expiry without such a write. */
    expires_at_ms: 'integer',
    extended_at_ms: 'integer?',
    verified_at_ms: 'integer?',
    /** The network's id of the first payment with the registration that is not a charge under an agreement. */
    initial_transaction_id: 'text?',
    /** JSON: the network's ids of the first transactions of the newest agreements, by type. */
    agreements: 'text',
    /** The time at which the account data were erased. */
    deleted_at_ms: 'integer?',
  }),
  /** A payment, payout or risk check under one trait that a risk rule counts, such as its card. */
  velocity: table(['counter', 'merchant', 'created_at_ms', 'id'], ['add', 'remove'], {
    /** The trait, such as `payment|customer.ip|192.0.2.1`; a card by its fingerprint. */
    counter: 'text',
    merchant: 'text',
    created_at_ms: 'integer',
    /** The id of the transaction. */
    id: 'text',
    /** The approved amount; 0 after a refusal. */
    amount_minor: 'integer',
    currency: 'text',
  }),
  /** An idempotency claim with its answer. */
  idempotency_key: table(['id', 'merchant'], ['replace', 'change'], {
    /** Keyed hash (hex) of the Idempotency-Key and its entity. */
    id: 'text',
    merchant: 'text',
    /** Keyed hash (hex) of the body without its cvv. */
    fingerprint: 'text',
    http_status: 'integer',
    result_code: 'text',
    answer: 'text',
    created_at_ms: 'integer',
    /** The time from which the key may be sent with another request. */
    expires_at_ms: 'integer',
  }),
  /**
   * A uniqueness constraint, until it expires: on a merchantTransactionId, on it with account and amount, or on the
   * match of a transaction with a row of a kind.
   */
  unique_key: table(['id', 'merchant'], ['replace', 'remove'], {
    /** Hash (hex) of the unique value, keyed unless it consists of our own ids. */
    id: 'text',
    merchant: 'text',
    /** The first transaction with the value. */
    transaction_id: 'text',
    created_at_ms: 'integer',
    /** The time from which another transaction may have the value; null: never. */
    expires_at_ms: 'integer?',
  }),
  /** A job: work with a due time, which is retried after a failure. */
  job: table(['id', 'merchant'], ['replace', 'change', 'remove'], {
    id: 'text',
    merchant: 'text',
    kind: 'text',
    /** The queue of its kind, such as a webhook's id; '' if the kind has only one. Queues never wait for each other. */
    lane: 'text',
    /** The id of the row that the job processes, such as an event, a transaction, a schedule or a registration. */
    subject_id: 'text',
    due_at_ms: 'integer',
    /** Attempts since the job was added or last retried by an operator. */
    attempts: 'integer',
    /** The time at which the job was dead-lettered; null after an operator retries it. */
    parked_at_ms: 'integer?',
    /** The time at which the job was done. Only jobs that can be queried later are kept after that. */
    done_at_ms: 'integer?',
    /** The reason for which the last attempt failed. */
    last_error: 'text?',
    /**
     * The end of the job's lease by a process, on the clock of the database, which no test clock moves; null: not
     * leased, or the storage is not shared. A change of a job sets this column to null, which releases the job.
     */
    held_until_ms: 'integer?',
    created_at_ms: 'integer',
    /** The delivery order within the queue, in which jobs run one after the other: the event's tree; null: none. */
    line: 'text?',
    /** The place in the delivery order: lower places first, equal places by id. */
    line_place: 'integer?',
  }),
  /**
   * An event of the outbox, written in the same unit as the change: an event to which a webhook subscribes, or a
   * notification to the `notificationUrl` of a payment.
   */
  event: table(['id', 'merchant'], ['add', 'remove'], {
    /** Time-ordered. Receivers use it to detect repeated deliveries. */
    id: 'text',
    merchant: 'text',
    /** The entity whose webhooks, and those of the entities above it, receive the event. */
    entity_id: 'text',
    /** The tree that changed. A webhook receives the events of a tree in order. */
    root_id: 'text',
    type: 'text',
    action: 'text?',
    /** JSON: the answer of the API; of a notification, its URL and resource. Never a secret. */
    payload: 'text',
    created_at_ms: 'integer',
  }),
  /** An attempt of a delivery. */
  delivery_attempt: table(['delivery_id', 'number', 'merchant'], ['add', 'remove'], {
    /** The job of the delivery. */
    delivery_id: 'text',
    merchant: 'text',
    /** From 1; continues after a retry by an operator. */
    number: 'integer',
    started_at_ms: 'integer',
    duration_ms: 'integer',
    /** null if there was no answer. */
    http_status: 'integer?',
    /** The reason of the failure; null after a success. */
    error: 'text?',
    /** The answer of the endpoint, truncated. */
    answer: 'text',
  }),
  /** A webhook: an endpoint that receives events. */
  webhook: table(['id'], ['replace', 'change'], {
    id: 'text',
    merchant: 'text',
    entity_id: 'text',
    url: 'text',
    /** JSON: types, field filter, wrapper. */
    settings: 'text',
    state: 'text',
    created_at_ms: 'integer',
    changed_at_ms: 'integer',
    deleted_at_ms: 'integer?',
  }),
  /** A sealed key of a webhook. During a rotation several keys are active. */
  webhook_key: table(['id'], ['replace', 'remove'], {
    id: 'text',
    merchant: 'text',
    webhook_id: 'text',
    sealed: 'bytes',
    wrapped_key: 'bytes',
    key_id: 'text',
    created_at_ms: 'integer',
    /** The time from which deliveries are encrypted with the key; null until a test delivery has succeeded. */
    starts_at_ms: 'integer?',
    /** The time after which the key is not used. */
    ends_at_ms: 'integer?',
  }),
  /** A plan: recurring charges to a registration. */
  schedule: table(['id', 'merchant'], ['replace', 'change'], {
    /** The id of the plan's SD or RS transaction. */
    id: 'text',
    merchant: 'text',
    channel: 'text',
    registration_id: 'text',
    /** The id of the first plan of its chain, to which each reschedule adds a plan. */
    chain_id: 'text',
    /** JSON: the sent parameters of the plan and its charges, the time zone and the creation time. Never a secret. */
    plan: 'text',
    /** 1 for the active plan of its chain, else 0. */
    active: 'integer',
    /** The planned time of the last run that was made or skipped. */
    last_run_at_ms: 'integer?',
    /** Attempts at the last run if it was declined and will be retried; else 0. */
    attempts: 'integer',
    /** The time of the first attempt at the last run, if it will be retried. */
    attempted_at_ms: 'integer?',
    /** The time after which the plan does not run. */
    ends_at_ms: 'integer?',
    /** The time at which the plan was descheduled, to end at `ends_at_ms`. */
    descheduled_at_ms: 'integer?',
    /** The reason for which the plan is inactive. */
    ended: 'text?',
    created_at_ms: 'integer',
  }),
  /** A payment or registration that a merchant prepares and the shopper completes on the merchant's page. */
  checkout: table(['id', 'merchant'], ['replace', 'change', 'remove'], {
    /** Random, because the id authorises the payment. */
    id: 'text',
    merchant: 'text',
    /** The channel on which the checkout was prepared; with dispatching, the merchant. */
    entity_id: 'text',
    /** JSON: the parameters of the request, by name. Never a secret. */
    parameters: 'text',
    /** The last payment or registration of the checkout. */
    transaction_id: 'text?',
    /** The time at which the shopper first submitted the checkout. */
    submitted_at_ms: 'integer?',
    /** The time at which the final result was first read. */
    read_at_ms: 'integer?',
    created_at_ms: 'integer',
    expires_at_ms: 'integer',
    /** The number of declined attempts before the last attempt; null counts as 0. */
    declines: 'integer?',
  }),
  /** A redirect or 3-D Secure session: the shopper continues a payment at a bank, a wallet or an issuer. */
  visit: table(['id', 'merchant'], ['replace', 'change', 'remove'], {
    /** Random, because the id is part of the return addresses. */
    id: 'text',
    merchant: 'text',
    transaction_id: 'text',
    checkout_id: 'text?',
    kind: 'text',
    /** JSON: the parameters of the payment, by name. Never a secret. */
    parameters: 'text',
    /** JSON: the state of the session, by kind. */
    progress: 'text',
    created_at_ms: 'integer',
    /** The time at which the payment expires, unless its result arrives later. */
    expires_at_ms: 'integer',
    /** The time at which the session is removed. */
    forgotten_at_ms: 'integer',
  }),
}

function table<Columns extends Readonly<Record<string, ColumnType>>, const Writes extends readonly Write[]>(
  key: readonly (keyof Columns & string)[],
  writes: Writes,
  columns: Columns,
) {
  return { key, writes, columns }
}

type Tables = typeof declared

export type TableName = keyof Tables

interface Cells {
  readonly text: string
  readonly packed: string
  readonly integer: number
  readonly bytes: Uint8Array
  readonly 'text?': string | null
  readonly 'integer?': number | null
  readonly 'bytes?': Uint8Array | null
}

type RowOf<Columns> = { readonly [C in keyof Columns]: Columns[C] extends ColumnType ? Cells[Columns[C]] : never }

/** A row of a table. */
export type Row<T extends TableName> = RowOf<Tables[T]['columns']>

/** The tables with a kind of write. */
export type TableWith<W extends Write> = {
  readonly [T in TableName]: W extends Tables[T]['writes'][number] ? T : never
}[TableName]

export const tables: Readonly<Record<TableName, Table>> = declared

/** Whether a table has the name. */
function isTable(name: string): name is TableName {
  return Object.hasOwn(tables, name)
}

/** The names of all tables, in the order in which a move copies them and an integrity scan reads them. */
export const tableNames: readonly TableName[] = Object.keys(tables).filter(isTable)

/** Whether a row of a unit replaces the stored row with the same key. */
export const isReplacing = (name: TableName): boolean => tables[name].writes.includes('replace')

/** Whether the integers of a row of a unit are added to those of the stored row with the same key. */
export const isAccumulating = (name: TableName): boolean => tables[name].writes.includes('accumulate')

/** The columns of an accumulating table whose values are added. */
export const addedColumns = (name: TableName): readonly string[] =>
  Object.keys(tables[name].columns).filter((column) => !tables[name].key.includes(column))

const unwritable = ['tree', 'idempotency_key', 'unique_key', 'late_transaction'] as const

export const writableTables: readonly WritableTable[] = tableNames.filter(isWritable)

/**
 * The tables of a unit's `rows`. A unit writes the other tables by its expected versions, claim and unique keys, or the
 * storage writes them with its transactions.
 */
export type WritableTable = Exclude<TableName, (typeof unwritable)[number]>

function isWritable(name: TableName): name is WritableTable {
  return !unwritable.some((each) => each === name)
}

/** Tables with rows that a compare-and-set replaces. */
export type ChangeableTable = TableWith<'change'>
/** Tables with rows that a compare-and-set removes. */
export type RemovableTable = TableWith<'remove'>

/** The tables with rows that a compare-and-set may replace or remove. */
export const changeableTables: readonly (ChangeableTable | RemovableTable)[] = tableNames.filter(isChangeable)

function isChangeable(name: TableName): name is ChangeableTable | RemovableTable {
  return tables[name].writes.some((write) => write === 'change' || write === 'remove')
}
