import type { Head } from '../request-head.ts'
import { readAccountChanges } from './account-changes.ts'
import { onFileRequest } from './account-request.ts'

/** A request to change a stored account. */
export type UpdateRequest = Readonly<ReturnType<typeof updateRequest>>

export const updateRequest = (head: Head, id: string) => ({
  /** The id of the registration. */
  id,
  changes: readAccountChanges(head.parameters),
  ...onFileRequest('updateRegistration', head, id),
})
