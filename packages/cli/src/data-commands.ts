import type { Command } from 'commander'

/** Commands that work on the data itself, and not on a gateway that runs. */
export function dataCommands(program: Command): void {
  program
    .command('migrate')
    .description('copy all data from the SQLite file in TOLLGATE_DATA to the empty database TOLLGATE_DATABASE_URL')
    .action(async () => (await import('./migrate.ts')).migrate())
  program
    .command('backup <file>')
    .description('copy the SQLite file, while the gateway runs or not; the keys are not in the copy')
    .action(async (file: string) => (await import('./backup.ts')).backup(file))
  program
    .command('restore <file>')
    .description('put a backup in the place of a SQLite file that is gone')
    .option('--without-erasures', 'erasures.log is lost: what was erased since the backup lives again')
    .action(async (file: string, { withoutErasures = false }: { withoutErasures?: boolean }) =>
      (await import('./backup.ts')).restore(file, withoutErasures),
    )
  program
    .command('doctor')
    .description('examine all data, while the gateway runs or not, and say what cannot be')
    .action(async () => (await import('./doctor.ts')).doctor())
}
