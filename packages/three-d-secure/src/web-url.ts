import { parseStrictUrl } from '@tollgate/contract'

/** Whether a value is an absolute http or https URL without credentials. */
export function isWebUrl(value: string): boolean {
  const url = /^https?:\/\//i.test(value) ? parseStrictUrl(value) : undefined
  return url !== undefined && url.username === '' && url.password === ''
}
