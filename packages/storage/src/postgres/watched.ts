/** The channels of notifications: changes of watched tables, and messages of peers. */
export const changesChannel = 'tollgate_changes'
export const messagesChannel = 'tollgate_messages'

/**
 * Counts the changes of each watched table, and notifies peers when they are committed. By the count a peer recognises
 * changes whose notification it has missed.
 */
export const watchTables = [
  `CREATE TABLE watched_table (name text COLLATE "C" PRIMARY KEY, changes bigint NOT NULL)`,
  `CREATE FUNCTION tell_of_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE watched_table SET changes = changes + 1 WHERE name = TG_TABLE_NAME;
      PERFORM pg_notify('${changesChannel}', TG_TABLE_NAME);
      RETURN NULL;
    END $$`,
]

/** Watches a table from now on. */
export const watchSteps = (table: string): readonly string[] => [
  `INSERT INTO watched_table VALUES ('${table}', 0)`,
  `CREATE TRIGGER tell_of_change AFTER INSERT OR UPDATE OR DELETE ON "${table}"
    FOR EACH STATEMENT EXECUTE FUNCTION tell_of_change()`,
]
