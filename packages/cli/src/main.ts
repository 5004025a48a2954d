#!/usr/bin/env -S node --max-semi-space-size=32
import { program } from 'commander'
import { channelCommands, entityCommands, tokenCommands } from './manage-commands.ts'
import { serve } from './serve.ts'

program.name('tollgate').description('A payment gateway that a company runs itself.').showHelpAfterError()
program.command('serve').description('start the gateway; settings come from the environment').action(serve)
entityCommands(program)
channelCommands(program)
tokenCommands(program)

try {
  await program.parseAsync()
} catch (error) {
  // What a user can mend is one line; anything else is a defect and keeps its trace.
  const mendable = error instanceof Error && 'mendable' in error
  process.stderr.write(
    mendable ? `tollgate: ${error.message}\n` : `${error instanceof Error ? error.stack : String(error)}\n`,
  )
  process.exitCode = 1
}
