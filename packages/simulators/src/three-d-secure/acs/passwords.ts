import { limits } from '../../limits.ts'
import { outcomeOf } from './one-time-passwords.ts'
import type { Result, Session } from './sessions.ts'

/** What a password ends the challenge with; undefined where it is wrong and there is another try. */
export function judgePassword(session: Session, password: string): Result | undefined {
  session.tries += 1
  return outcomeOf(password.trim()) ?? (session.tries < limits.passwordsMax ? undefined : { status: 'N', reason: '19' })
}
