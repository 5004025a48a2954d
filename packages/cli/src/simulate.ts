import { type Command, InvalidArgumentError } from 'commander'
import { limits } from './limits.ts'
import type { SimulateOptions } from './run-simulators.ts'

/** Adds the command `tollgate simulate`. */
export function addSimulateCommand(program: Command): void {
  program
    .command('simulate')
    .description('start simulated banks, wallets, issuers and an acquirer in a process of their own')
    .option('--host <address>', 'address that the listener binds to', '127.0.0.1')
    .option('--port <number>', 'port of the listener; 0 for any free port', parsePort, 8083)
    .option(
      '--acquirer-port <number>',
      'port of the simulated acquirer (ISO 8583); without it there is none',
      parsePort,
    )
    .option('--acquirer-file <path>', 'file that keeps the state of the acquirer when the process ends')
    .option('--acquirer-cut-off <HH:mm>', 'end of the business day of the acquirer, which settles by these days')
    .option('--acquirer-time-zone <name>', 'time zone of that time (IANA)')
    .option('--acquirer-settlement-folder <path>', 'folder for the settlement file of each business day')
    .option('--acquirer-settlement-format <name>', 'format of these files: csv, fixed, camt053 or camt054')
    .option('--sftp-port <number>', 'port of an SFTP server with these files; without it there is none', parsePort)
    .option('--sftp-folder <path>', 'folder of the SFTP server: settlement files, received files, host key')
    .option('--sftp-keys <path>', 'file with the public keys of its users, one a line (OpenSSH)')
    .option('--acquirer-clearing-folder <path>', 'folder in which clearing files arrive')
    .option('--acquirer-cert <path>', 'certificate of the acquirer, with its chain (PEM): its port then requires TLS')
    .option('--acquirer-key <path>', 'private key of that certificate (PEM)')
    .option(
      '--acquirer-client-ca <path>',
      'authorities of the clients’ certificates (PEM), which the acquirer then requires',
    )
    .action(async (options: SimulateOptions) => (await import('./run-simulators.ts')).runSimulators(options))
}

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > limits.portMax)
    throw new InvalidArgumentError(`It must be a number from 0 to ${limits.portMax}.`)
  return Number(text)
}
