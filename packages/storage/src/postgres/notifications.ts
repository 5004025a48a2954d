/** The channels of notifications: one of changes of watched tables, one of messages of peers. */
export const changesChannel = 'tollgate_changes'
export const messagesChannel = 'tollgate_messages'

/**
 * The table that counts the changes of each watched table, and the trigger function that counts a change and notifies
 * peers when it is committed. The counts show a peer the changes whose notification was lost.
 */
export const watchedTableSql = [
  `CREATE TABLE watched_table (name text COLLATE "C" PRIMARY KEY, changes bigint NOT NULL)`,
  `CREATE FUNCTION tell_of_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE watched_table SET changes = changes + 1 WHERE name = TG_TABLE_NAME;
      PERFORM pg_notify('${changesChannel}', TG_TABLE_NAME);
      RETURN NULL;
    END $$`,
]

/** The steps that begin to watch a table. */
export const watchSteps = (table: string): readonly string[] => [
  `INSERT INTO watched_table VALUES ('${table}', 0)`,
  `CREATE TRIGGER tell_of_change AFTER INSERT OR UPDATE OR DELETE ON "${table}"
    FOR EACH STATEMENT EXECUTE FUNCTION tell_of_change()`,
]
