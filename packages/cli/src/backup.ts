import { backUp, readConfig, restore as restoreData } from '@tollgate/gateway'

/** `tollgate backup`. The gateway may be running or stopped. */
export function backup(file: string): void {
  backUp(readConfig(process.env), file)
  process.stdout.write(
    `${file} holds all data. It does not contain the keys, which are required to decrypt its card numbers: ` +
      'keep a copy of the keys elsewhere.\n',
  )
}

/** `tollgate restore`. The gateway must be stopped. */
export async function restore(file: string, withoutErasures: boolean): Promise<void> {
  const config = readConfig(process.env)
  await restoreData(config, file, withoutErasures)
  process.stdout.write(
    `${config.data} holds the data of ${file}. The next start replays erasures.log, if it exists: ` +
      'accounts erased since the backup are erased again.\n',
  )
}
