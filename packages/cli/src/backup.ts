import { backUp, readConfig, restore as restoreData } from '@tollgate/gateway'

/** `tollgate backup`, while a gateway runs or not. */
export function backup(file: string): void {
  backUp(readConfig(process.env), file)
  process.stdout.write(
    `${file} holds all data. It does not hold the keys, without which no number in it can be read: ` +
      'keep them elsewhere.\n',
  )
}

/** `tollgate restore`, while no gateway runs. */
export async function restore(file: string, withoutErasures: boolean): Promise<void> {
  const config = readConfig(process.env)
  await restoreData(config, file, withoutErasures)
  process.stdout.write(
    `${config.data} holds the data of ${file}. What was erased since is erased again when the gateway starts.\n`,
  )
}
