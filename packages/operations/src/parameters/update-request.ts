import type { Head } from '../request.ts'
import { type AccountChanges, readAccountChanges } from './account-changes.ts'
import type { AccountOnFile } from './account-on-file.ts'
import { type AccountRequest, onFileRequest } from './account-request.ts'

/** A request to change a stored account. */
export interface UpdateRequest extends AccountRequest<AccountOnFile> {
  /** The registration. */
  readonly id: string
  readonly changes: AccountChanges
}

export const updateRequest = (head: Head, id: string): UpdateRequest & { readonly kind: 'updateRegistration' } => ({
  id,
  changes: readAccountChanges(head.parameters),
  ...onFileRequest('updateRegistration', head, id),
})
