/** Whether a value is an absolute address that browsers and servers can be sent to. */
export function isWebUrl(value: string): boolean {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return false
  const { username, password } = new URL(value)
  return username === '' && password === ''
}
