import { StorageError } from './storage-error.ts'

/**
 * Checks the schema before a read of a whole database, which never migrates it.
 * @throws StorageError `incompatible`; the message names the remedy, unless the database contains no data of Tollgate
 */
export function checkSchemaVersion(name: string, version: number, newest: number): void {
  if (version === newest) return
  if (version === 0) throw new StorageError('incompatible', `${name} contains no data of Tollgate`)
  const schema = `${name} has schema ${version}, and this program has ${newest}`
  throw new StorageError(
    'incompatible',
    version > newest
      ? `${schema}: use the newer program that wrote it`
      : `${schema}: start this version of the gateway on it once, which brings it up to date`,
  )
}
