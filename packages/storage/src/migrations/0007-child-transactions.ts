import type { Migration } from './migration.ts'

export const childTransactions: Migration = {
  name: 'child-transactions',
  reason: 'a follow-up is found by its id without a search in every partition of the transactions',
  // SQLite, which has no partitions, finds follow-ups by the index payment_transaction_child.
  steps: (target) => target.onServer(steps),
}

// A trigger adds the rows, so that those of processes of the previous version are added too. It has the rights of the
// owner, because the user of such a process has no rights on the new table.
const steps = [
  `CREATE TABLE child_transaction (
    id text COLLATE "C" NOT NULL,
    merchant text COLLATE "C" NOT NULL,
    root_id text COLLATE "C" NOT NULL,
    CONSTRAINT child_transaction_pkey PRIMARY KEY (id, merchant))`,
  `CREATE FUNCTION add_child_transaction() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path FROM CURRENT AS $$
    BEGIN
      INSERT INTO child_transaction (id, merchant, root_id) VALUES (NEW.id, NEW.merchant, NEW.root_id);
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER add_child_transaction AFTER INSERT ON payment_transaction
    FOR EACH ROW WHEN (NEW.id <> NEW.root_id) EXECUTE FUNCTION add_child_transaction()`,
]
