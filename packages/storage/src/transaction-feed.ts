// The feed of transactions: each decided transaction is read exactly once, after its commit.
//
// An id is no cursor: it contains the time of a request on the clock of one process, a transaction may be committed
// long after its id was drawn, and a stored transaction may still become approved. The feed is therefore closed before
// it is read. After `closed_before` was raised, each unit that adds or changes a transaction below it also adds a row
// of `late_transaction`, and the units that were being committed meanwhile are awaited (`openCommits`). Then each
// transaction below `closed_before` is stored in its final form, or will be late. Nearly all transactions are not late,
// and cost no row.

/** The id of the row of `transaction_feed`. */
export const TRANSACTIONS = 'transactions'
