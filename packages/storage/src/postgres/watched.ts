/** Where processes hear of each other's changes, and what they say to each other. */
export const changesChannel = 'tollgate_changes'
export const messagesChannel = 'tollgate_messages'

/**
 * What counts the changes of each table that is watched, and tells of them when they are committed. A count, because
 * who was not listening has to learn that something was said.
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

/** Has a table watched from now on. */
export const watchSteps = (table: string): readonly string[] => [
  `INSERT INTO watched_table VALUES ('${table}', 0)`,
  `CREATE TRIGGER tell_of_change AFTER INSERT OR UPDATE OR DELETE ON "${table}"
    FOR EACH STATEMENT EXECUTE FUNCTION tell_of_change()`,
]
