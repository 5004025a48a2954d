import { readFileSync, writeFileSync } from 'node:fs'
import { addKey, generateKeys, type KeySetName, keySetNames } from '@tollgate/gateway'
import { Argument, type Command, Option } from 'commander'
import { addCalls, call } from './manage-call.ts'
import { CommandError } from './manage-client.ts'

/** Adds `tollgate key generate | status | rotate | retire`. Only `generate` handles key material. */
export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('the keys of the vault')
  key
    .command('generate [file]')
    .description('write a key ring to a new file, or to standard output')
    .option('--from <file>', 'an existing ring: the new ring contains its keys and one more')
    .addOption(new Option('--purpose <purpose>', 'purpose of the new key').choices(keySetNames).default('encryption'))
    .action((file: string | undefined, { from, purpose }: { from?: string; purpose: KeySetName }) => {
      const text = from === undefined ? generateKeys() : addKey(from, () => readFileSync(from, 'utf8'), purpose)
      if (file === undefined) process.stdout.write(text)
      else writeNewFile(file, text)
    })
  addCalls(key, [
    call('status', 'GET', '/keys', 'show the ids of the keys, with the number of records under each'),
    call('rotate', 'POST', '/keys/rotate', 'make a new key current; a background task converts older records', {
      purpose: new Argument('[purpose]').choices(keySetNames).default('encryption'),
    }),
    call('retire <id>', 'POST', '/keys/:id/retire', 'remove a key that no record needs'),
  ])
}

/** Writes a new file. An existing file is never overwritten, because it may be the only copy of keys. */
function writeNewFile(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    const exists = error.code === 'EEXIST'
    throw new CommandError(exists ? `${file} exists and is not overwritten` : error.message)
  }
}
