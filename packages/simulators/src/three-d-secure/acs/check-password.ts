import { limits } from '../../limits.ts'
import { resultOfPassword } from './one-time-passwords.ts'
import type { Result, Session } from './sessions.ts'

/** Counts an entered password. @returns its result; undefined if it is wrong and the cardholder may try again */
export function checkPassword(session: Session, password: string): Result | undefined {
  session.tries += 1
  return (
    resultOfPassword(password.trim()) ??
    (session.tries < limits.passwordsMax ? undefined : { status: 'N', reason: '19' })
  )
}
