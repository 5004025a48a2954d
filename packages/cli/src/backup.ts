import { backUp, readConfig, restore as restoreData } from '@tollgate/gateway'

/** `tollgate backup`. A gateway may be running. */
export function backup(file: string): void {
  backUp(readConfig(process.env), file)
  process.stdout.write(
    `${file} holds all data. It does not contain the keys, which are required to decrypt its card numbers: ` +
      'keep a copy of the keys elsewhere.\n',
  )
}

/** `tollgate restore`. No gateway may be running. */
export async function restore(file: string, withoutErasures: boolean): Promise<void> {
  const config = readConfig(process.env)
  await restoreData(config, file, withoutErasures)
  process.stdout.write(
    `${config.data} holds the data of ${file}. The next start replays erasures.log, if it exists: ` +
      'accounts erased since the backup are erased again.\n',
  )
}
