import { Command, CommanderError } from 'commander'
import { addDataCommands } from './data-commands.ts'
import { addKeyCommands } from './key-commands.ts'
import { addSimulateCommand } from './simulate.ts'
import { addManageCommands } from './manage-commands.ts'

/**
 * Runs one command line.
 *
 * @param args the arguments after the program's name
 * @returns the exit status. For `serve` and `simulate` the promise resolves once the servers listen
 */
export async function run(args: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    // Commander has already printed the error, or the requested help.
    if (error instanceof CommanderError) return error.exitCode
    // An error that the user can correct is one line; any other error is a defect and keeps its stack trace.
    const isUserError = error instanceof Error && 'isUserError' in error
    process.stderr.write(
      isUserError ? `tollgate: ${error.message}\n` : `${error instanceof Error ? error.stack : String(error)}\n`,
    )
    return 1
  }
}

/** Creates the program with all its commands. */
export function createProgram(): Command {
  const program = new Command('tollgate')
    .description('A payment gateway that a company runs itself.')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`tollgate: ${sentenceOf(text)}; see --help\n`) })
  program
    .command('serve')
    .description('start the gateway with settings from the environment')
    // serve.ts is imported on demand, because no other command needs the module.
    .action(async () => (await import('./serve.ts')).serve())
  program
    .command('check')
    .description('check an installation before its first payment: TLS, keys, storage, clock, connectors and routes')
    .option('--json', 'print the results as JSON')
    .action(async (options: { json?: boolean }) => (await import('./check.ts')).check(options))
  addSimulateCommand(program)
  addDataCommands(program)
  addKeyCommands(program)
  addManageCommands(program)
  return program
}

/**
 * Returns a message of commander as one line, without `error: ` and the full stop. Commander adds a line with a
 * suggestion to a message such as `error: unknown command 'entitty'`.
 */
function sentenceOf(text: string): string {
  return text
    .replace(/^error: /, '')
    .replace(/\.?\n$/, '')
    .replaceAll('\n', ' ')
}
