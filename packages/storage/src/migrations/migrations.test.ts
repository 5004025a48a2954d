import { expect, test } from 'vitest'
import { compiledMigrations as ofPostgres } from '../postgres/compiled-migrations.ts'
import { compiledMigrations as ofSqlite } from '../sqlite/compiled-migrations.ts'

/**
 * Changes that the program before a migration tolerates: it names its columns in reads and writes, so that a new column
 * must be nullable or have a default.
 */
const additions = [
  /^create (table|index|function|trigger) /i,
  /^insert into watched_table /i,
  /^alter table "\w+" set \(autovacuum_/i,
  /^alter table "\w+" add column (?!.* not null(?!.* default ))/i,
]

test.each([
  ['PostgreSQL', ofPostgres()],
  ['SQLite', ofSqlite()],
])('on %s every migration but the first only adds, so that the program before it goes on', (_, [, ...later]) => {
  const steps = later.flatMap(({ steps: own }) => own)
  expect(steps.length).toBeGreaterThan(0)
  expect(steps.filter((step) => !additions.some((addition) => addition.test(step)))).toEqual([])
})

test.each([
  ['ALTER TABLE "tree" ADD COLUMN "a" text', true],
  ['ALTER TABLE "tree" ADD COLUMN "a" bigint NOT NULL DEFAULT 0', true],
  ['ALTER TABLE "tree" ADD COLUMN "a" bigint NOT NULL', false],
  ['ALTER TABLE "tree" DROP COLUMN "version"', false],
  ['CREATE UNIQUE INDEX i ON "tree" ("version")', false],
  ['DROP TABLE "tree"', false],
])('%s: %s', (step, isAddition) => {
  expect(additions.some((addition) => addition.test(step))).toBe(isAddition)
})
