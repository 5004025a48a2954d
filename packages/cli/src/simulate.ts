import { type Command, InvalidArgumentError } from 'commander'
import { limits } from './limits.ts'

/** Adds the command `tollgate simulate`. */
export function addSimulateCommand(program: Command): void {
  program
    .command('simulate')
    .description('start simulated banks, wallets and issuers in a process of their own')
    .option('--host <address>', 'address that the listener binds to', '127.0.0.1')
    .option('--port <number>', 'port of the listener; 0 for any free port', parsePort, 8083)
    .action(async (address: { host: string; port: number }) =>
      (await import('./run-simulators.ts')).runSimulators(address),
    )
}

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > limits.portMax)
    throw new InvalidArgumentError(`It must be a number from 0 to ${limits.portMax}.`)
  return Number(text)
}
