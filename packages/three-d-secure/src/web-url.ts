import { readUrl } from '@tollgate/contract'

/** Whether a value is an absolute http or https URL without credentials. */
export function isWebUrl(value: string): boolean {
  const url = /^https?:\/\//i.test(value) ? readUrl(value) : undefined
  return url !== undefined && url.username === '' && url.password === ''
}
