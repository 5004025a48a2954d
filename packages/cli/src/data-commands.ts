import type { Command } from 'commander'

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
    .command('doctor')
    .description('check all data for inconsistencies; the gateway may be running')
    .action(async () => (await import('./doctor.ts')).doctor())
}
