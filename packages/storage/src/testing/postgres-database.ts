import { randomUUID } from 'node:crypto'
import { Client } from 'pg'

/** Creates an empty database for a test. @returns its address */
export async function newDatabase(server: string | undefined): Promise<string> {
  if (!server) {
    throw new Error(
      'there is no PostgreSQL server for the tests: run apt-get install postgresql, or set TOLLGATE_TEST_DATABASE_URL',
    )
  }
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await runSql(server, `CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** Removes a database of `newDatabase`, if it exists, and ends its connections. */
export async function removeDatabase(url: string): Promise<void> {
  const server = new URL(url)
  const name = server.pathname.slice(1)
  server.pathname = '/postgres'
  await runSql(server.href, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}

/** SQL that deletes the rows of all tables except `schema_migration` and `watched_table`. */
export const deleteAllRows = `DO $$ DECLARE name text; filled boolean; BEGIN
  FOR name IN SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public'
    AND tablename NOT IN ('schema_migration', 'watched_table') LOOP
    EXECUTE 'SELECT EXISTS (SELECT FROM ' || name || ')' INTO filled;
    IF filled THEN EXECUTE 'DELETE FROM ' || name; END IF;
  END LOOP;
END $$`

/** Empties the tables of a database, if it has any: faster than a new database. */
export const emptyDatabase = (url: string): Promise<object[]> => runSql(url, deleteAllRows)

/** A connection that runs any SQL, as in an operator's shell. */
export interface SqlConnection {
  readonly query: <Row extends object>(sql: string) => Promise<Row[]>
  readonly close: () => Promise<void>
}

export async function openSqlConnection(url: string): Promise<SqlConnection> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return {
    query: async <Row extends object>(sql: string) => (await client.query<Row>(sql)).rows,
    close: () => client.end(),
  }
}

/** Runs SQL as an operator's shell would. */
export async function runSql<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const connection = await openSqlConnection(url)
  try {
    return await connection.query<Row>(sql)
  } finally {
    await connection.close()
  }
}
