import { Command, CommanderError } from 'commander'
import { dataCommands } from './data-commands.ts'
import { keyCommands } from './key-commands.ts'
import { simulateCommand } from './simulate.ts'
import { accountCommands, channelCommands, entityCommands, riskCommands, tokenCommands } from './manage-commands.ts'
import { deliveryCommands, webhookCommands } from './webhook-commands.ts'

/**
 * Runs one command line.
 *
 * @param args what follows the program's name
 * @returns the exit status; of `serve`, once the gateway listens
 */
export async function run(args: readonly string[]): Promise<number> {
  try {
    await commandLine().parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    // It has said what is wrong already, or printed the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode
    // What a user can mend is one line; anything else is a defect and keeps its trace.
    const mendable = error instanceof Error && 'mendable' in error
    process.stderr.write(
      mendable ? `tollgate: ${error.message}\n` : `${error instanceof Error ? error.stack : String(error)}\n`,
    )
    return 1
  }
}

/** Every command there is. */
export function commandLine(): Command {
  const program = new Command('tollgate')
    .description('A payment gateway that a company runs itself.')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`tollgate: ${sentenceOf(text)}; see --help\n`) })
  program
    .command('serve')
    .description('start the gateway; settings come from the environment')
    // The service is most of the program, and no other command waits for it.
    .action(async () => (await import('./serve.ts')).serve())
  simulateCommand(program)
  dataCommands(program)
  entityCommands(program)
  channelCommands(program)
  tokenCommands(program)
  keyCommands(program)
  riskCommands(program)
  accountCommands(program)
  webhookCommands(program)
  deliveryCommands(program)
  return program
}

/** `error: unknown command 'entitty'`, and on a line of its own what may have been meant. */
function sentenceOf(text: string): string {
  return text
    .replace(/^error: /, '')
    .replace(/\.?\n$/, '')
    .replaceAll('\n', ' ')
}
