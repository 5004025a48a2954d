/** How a column is stored; `?` may be null. An integer is a safe integer, bytes are a Uint8Array. */
export type ColumnType = 'text' | 'integer' | 'bytes' | 'text?' | 'integer?' | 'bytes?'

/**
 * The write of a unit to the rows of a table. add: a row with a key that is stored breaks a constraint. replace: the
 * row replaces the one with its key. change: a compare-and-set replaces a row. remove: a compare-and-set removes one.
 */
type Write = 'add' | 'replace' | 'change' | 'remove'

interface Table {
  readonly key: readonly string[]
  readonly writes: readonly Write[]
  /** In the order in which rows are flattened and bound. */
  readonly columns: Readonly<Record<string, ColumnType>>
}

/**
 * Every table. One schema for all dialects: text ids, integer minor units, epoch milliseconds, and JSON for data that
 * is never queried. A test compares it with the database.
 *
 * Ids are time-ordered (of registrations and checkouts: random). Where a table has a merchant, its key starts with the
 * id and ends with the merchant, so that inserts append and a distributed database can still shard by merchant. A
 * transaction is keyed by its root first, so that a tree is one range; a velocity row by its counter and time.
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
  /** The risk rules of an entity. `rules` is JSON; null after its own rules were removed. */
  risk_rules: table(['entity_id'], ['replace'], {
    entity_id: 'text',
    rules: 'text?',
    changed_at_ms: 'integer',
  }),
  /** An access token, stored as a keyed hash. An entity may have several valid ones, so that rotations overlap. */
  access_token: table(['id'], ['replace', 'change'], {
    id: 'text',
    entity_id: 'text',
    /** The user that legacy clients name in `authentication.userId`; shown in the back office. */
    user_id: 'text',
    hash: 'bytes',
    /** Rights beyond the common ones, separated by spaces; '' for none. */
    rights: 'text',
    created_at_ms: 'integer',
    expires_at_ms: 'integer?',
    revoked_at_ms: 'integer?',
  }),
  /**
   * A tree of transactions, by its root: a payment (PA, DB, CD), a registration (RG) or a standalone risk check (RI).
   * Only its version changes.
   */
  tree: table(['id', 'merchant'], ['add'], {
    id: 'text',
    merchant: 'text',
    version: 'integer',
  }),
  /**
   * A transaction. The `root_id` of a root is its own `id`. A decided transaction is immutable; an undecided one
   * changes once, to its decision.
   */
  payment_transaction: table(['root_id', 'id', 'merchant'], ['add', 'change'], {
    root_id: 'text',
    id: 'text',
    merchant: 'text',
    channel: 'text',
    /** The transaction that this one refers to; null for a root. */
    referenced_id: 'text?',
    type: 'text',
    /** Decided: ACK, NOK. Undecided: SENT, PENDING, and EXPIRED after its time, which may still change once. */
    status: 'text',
    amount_minor: 'integer?',
    currency: 'text?',
    brand: 'text?',
    /** CC card, DD direct debit, VA virtual account… (paymentMethods of the contract). */
    method: 'text?',
    test_mode: 'text?',
    account_id: 'text?',
    registration_id: 'text?',
    /** Its id at the network or acquirer if it used or stored account data on file; later charges may refer to it. */
    network_transaction_id: 'text?',
    /** Of a merchant-initiated charge: the network's id of the transaction that began the agreement. */
    initial_transaction_id: 'text?',
    merchant_transaction_id: 'text?',
    result_code: 'text',
    /** JSON: facts that later rules need: numberOfCaptures, sequence FINAL, expiry. */
    facts: 'text',
    /** JSON: parameters of the request that the answer echoes. Never a secret. */
    echo: 'text',
    /** JSON: parts of the answer beyond these columns: result, details, descriptor, card. Never a secret. */
    outcome: 'text',
    created_at_ms: 'integer',
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
    /** The expiry as of the last write of the row. */
    expires_at_ms: 'integer',
    extended_at_ms: 'integer?',
    verified_at_ms: 'integer?',
    /** The network's id of the first transaction that the customer initiated with it. */
    initial_transaction_id: 'text?',
    /** JSON: the same ids of its newest agreements, by type. */
    agreements: 'text',
    /** The time at which its account data were erased. */
    deleted_at_ms: 'integer?',
  }),
  /** A payment under one trait, such as its card, for risk rules to count. Written only for channels with rules. */
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
    /** From this time on the key may be sent with another request. */
    expires_at_ms: 'integer',
  }),
  /** A uniqueness constraint until it expires: of a merchantTransactionId, or of the traits of a duplicate. */
  unique_key: table(['id', 'merchant'], ['replace', 'remove'], {
    /** Keyed hash (hex) of the unique value. */
    id: 'text',
    merchant: 'text',
    /** The first transaction with the value. */
    transaction_id: 'text',
    created_at_ms: 'integer',
    /** From this time on another transaction may have the value; null: never. */
    expires_at_ms: 'integer?',
  }),
  /** A job: work with a due time, which is retried after a failure. */
  job: table(['id', 'merchant'], ['replace', 'change', 'remove'], {
    id: 'text',
    merchant: 'text',
    kind: 'text',
    /** The queue of its kind: a webhook's id; '' if the kind has one queue. Queues never wait for each other. */
    lane: 'text',
    /** The event, transaction, schedule or registration that it is about. */
    subject_id: 'text',
    due_at_ms: 'integer',
    /** Attempts since it was added or last retried by an operator. */
    attempts: 'integer',
    /** The time at which it was dead-lettered; null after an operator retries it. */
    parked_at_ms: 'integer?',
    /** The time at which it was done. Only jobs that can be queried later are kept after that. */
    done_at_ms: 'integer?',
    /** The reason for which the last attempt failed. */
    last_error: 'text?',
    /**
     * The end of its lease by a process, by the clock of the database, which no test clock moves; null: not leased, or
     * the storage is not shared. A change of a job releases it, by setting this to null.
     */
    held_until_ms: 'integer?',
    created_at_ms: 'integer',
    /** The delivery order within its queue, in which jobs run one after the other: the event's tree; null: none. */
    line: 'text?',
    /** Its place in the delivery order: lower places first, equal places by id. */
    line_place: 'integer?',
  }),
  /** An event of the outbox, written in the same unit as the change if a webhook subscribes to it. */
  event: table(['id', 'merchant'], ['add', 'remove'], {
    /** Time-ordered. Receivers recognise repeated deliveries by it. */
    id: 'text',
    merchant: 'text',
    /** The entity whose webhooks, and those of the entities above it, receive the event. */
    entity_id: 'text',
    /** The tree that changed. A webhook receives the events of a tree in order. */
    root_id: 'text',
    type: 'text',
    action: 'text?',
    /** JSON: the answer of the API. Never a secret. */
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
    /** From this time on deliveries are encrypted with it; null until a test delivery has succeeded. */
    starts_at_ms: 'integer?',
    /** The end of its use. */
    ends_at_ms: 'integer?',
  }),
  /** A plan: recurring charges to a registration. */
  schedule: table(['id', 'merchant'], ['replace', 'change'], {
    /** The id of its SD or RS transaction. */
    id: 'text',
    merchant: 'text',
    channel: 'text',
    registration_id: 'text',
    /** The id of the first plan of its chain, to which each reschedule adds a plan. */
    chain_id: 'text',
    /** JSON: the schedule, the clock by which it runs and the request of each run. Never a secret. */
    plan: 'text',
    /** 1 for the active plan of its chain, else 0. */
    active: 'integer',
    /** The planned time of the last run that was made or skipped. */
    last_run_at_ms: 'integer?',
    /** Attempts of that run if it was declined and will be retried; else 0. */
    attempts: 'integer',
    /** The time of the first of these attempts. */
    attempted_at_ms: 'integer?',
    /** The time after which it does not run. */
    ends_at_ms: 'integer?',
    /** The time at which it was descheduled, to end at `ends_at_ms`. */
    descheduled_at_ms: 'integer?',
    /** The reason for which it is inactive. */
    ended: 'text?',
    created_at_ms: 'integer',
  }),
  /** A payment or registration that a merchant prepares and the shopper completes on the merchant's page. */
  checkout: table(['id', 'merchant'], ['replace', 'change', 'remove'], {
    /** Random, because it authorises the payment. */
    id: 'text',
    merchant: 'text',
    /** The channel on which it was prepared; with dispatching the merchant. */
    entity_id: 'text',
    /** JSON: the parameters of the request, by name. Never a secret. */
    parameters: 'text',
    /** Its last payment or registration. */
    transaction_id: 'text?',
    /** The time at which the shopper first submitted it. */
    submitted_at_ms: 'integer?',
    /** The time at which its final result was first read. */
    read_at_ms: 'integer?',
    created_at_ms: 'integer',
    expires_at_ms: 'integer',
    /** Declined attempts before the last one; null counts as 0. */
    declines: 'integer?',
  }),
  /** A redirect session: the shopper continues a payment at a bank, a wallet or an issuer (3-D Secure). */
  visit: table(['id', 'merchant'], ['replace', 'change', 'remove'], {
    /** Random, because it is part of the URLs that lead back. */
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

/** Whether the name is one of a table. */
function isTable(name: string): name is TableName {
  return Object.hasOwn(tables, name)
}

/** Every table, in the order in which they are moved and checked. */
export const tableNames: readonly TableName[] = Object.keys(tables).filter(isTable)

/** Whether a row replaces the one with its key. */
export const isReplacing = (name: TableName): boolean => tables[name].writes.includes('replace')

export const writableTables: readonly WritableTable[] = tableNames.filter(isWritable)

/** The tables of a unit's rows; it writes the others by its expected versions, claim and uniqueness constraints. */
export type WritableTable = Exclude<TableName, 'tree' | 'idempotency_key' | 'unique_key'>

function isWritable(name: TableName): name is WritableTable {
  return name !== 'tree' && name !== 'idempotency_key' && name !== 'unique_key'
}

/** Tables with rows that a compare-and-set replaces. */
export type ChangeableTable = TableWith<'change'>
/** Tables with rows that a compare-and-set removes. */
export type RemovableTable = TableWith<'remove'>

/** The tables that compare-and-sets of a unit may name. */
export const changeableTables: readonly (ChangeableTable | RemovableTable)[] = tableNames.filter(isChangeable)

function isChangeable(name: TableName): name is ChangeableTable | RemovableTable {
  return tables[name].writes.some((write) => write === 'change' || write === 'remove')
}

const columnsByTable = new Map(tableNames.map((name) => [name, Object.entries(tables[name].columns)]))

/** The columns of a table as [name, type], in binding order. */
export function columnsOf(name: TableName): readonly (readonly [string, ColumnType])[] {
  return columnsByTable.get(name) ?? []
}

/** The columns as SQL lists them. */
export const columnList = (name: TableName, prefix = ''): string =>
  columnsOf(name)
    .map(([column]) => `${prefix}"${column}"`)
    .join(', ')
