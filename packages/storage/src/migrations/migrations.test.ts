import { expect, test } from 'vitest'
import { compiledMigrations as postgresMigrations } from '../postgres/compiled-migrations.ts'
import { compiledMigrations as sqliteMigrations } from '../sqlite/compiled-migrations.ts'

/**
 * The changes that the previous version of the program tolerates. Its reads and writes name their columns, so a new
 * column must be nullable or have a default.
 */
const additions = [
  /^create (table|index|function|trigger) /i,
  /^insert into watched_table /i,
  /^alter table "\w+" set \(autovacuum_/i,
  /^alter table "\w+" add column (?!.* not null(?!.* default ))/i,
]

test.each([
  ['PostgreSQL', postgresMigrations()],
  ['SQLite', sqliteMigrations()],
])('later migrations of %s only make additions, so that the previous version keeps working', (_, [, ...later]) => {
  const steps = later.flatMap((migration) => migration.steps)
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
])('the step %s is an addition: %s', (step, isAddition) => {
  expect(additions.some((addition) => addition.test(step))).toBe(isAddition)
})
