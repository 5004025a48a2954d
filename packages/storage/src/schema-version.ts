import { StorageError } from './storage-error.ts'

/**
 * For what reads all of a database and changes nothing of it, not even its schema.
 * @throws StorageError `incompatible`, which says what to do
 */
export function checkSchemaVersion(name: string, version: number, newest: number): void {
  if (version === newest) return
  if (version === 0) throw new StorageError('incompatible', `${name} holds no data of Tollgate`)
  const schema = `${name} has schema ${version}, and this program has ${newest}`
  throw new StorageError(
    'incompatible',
    version > newest
      ? `${schema}: use the newer program that wrote it`
      : `${schema}: start this version of the gateway on it once, which brings it up to date`,
  )
}
