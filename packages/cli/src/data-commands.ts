import { type Command, InvalidArgumentError } from 'commander'

/** Adds the commands on the stored data. None needs a running gateway; `migrate` and `restore` need a stopped one. */
export function addDataCommands(program: Command): void {
  program
    .command('migrate')
    .description('copy all data from the SQLite file in TOLLGATE_DATA to the empty database TOLLGATE_DATABASE_URL')
    .action(async () => (await import('./migrate.ts')).migrate())
  program
    .command('backup <file>')
    .description('copy the SQLite file without the keys; the gateway may be running')
    .action(async (file: string) => (await import('./backup.ts')).backup(file))
  program
    .command('restore <file>')
    .description('restore a lost SQLite file from a backup')
    .option('--without-erasures', 'if erasures.log is lost: data erased after the backup reappear')
    .action(async (file: string, { withoutErasures = false }: { withoutErasures?: boolean }) =>
      (await import('./backup.ts')).restore(file, withoutErasures),
    )
  program
    .command('archive')
    .description('archive old partitions of the PostgreSQL database; the gateways may be running')
    .option('--before <month>', 'only partitions that end before a month, such as 2025-03', parseMonth)
    .action(async ({ before }: { before?: number }) => (await import('./archive.ts')).archive(before))
  program
    .command('doctor')
    .description('check all data for inconsistencies; the gateway may be running')
    .action(async () => (await import('./doctor.ts')).doctor())
}

/**
 * The start of a month in UTC, epoch milliseconds.
 * @param text such as 2025-03
 * @throws InvalidArgumentError
 */
function parseMonth(text: string): number {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? []
  if (year === undefined) throw new InvalidArgumentError('It must be a month, such as 2025-03.')
  return Date.UTC(Number(year), Number(month) - 1)
}
