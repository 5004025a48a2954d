import { firstFailure, type Guard, type Refused } from '../guard.ts'

/** The facts of any request that decide whether the environment accepts it. */
interface EnvironmentSubject {
  readonly environment: 'test' | 'live'
  /** The parameter testMode; undefined: it was not sent. */
  readonly testMode: string | undefined
}

const guards: readonly Guard<EnvironmentSubject>[] = [
  {
    code: '600.200.701',
    // "Live never routes to simulators … a testMode that is sent is refused" (domain notes, payment security).
    reason: 'the live environment has no test systems: send no testMode',
    holds: ({ environment, testMode }) => environment === 'test' || testMode === undefined,
  },
]

/** Why the environment refuses a request; undefined if it accepts it. */
export const environmentRefusal = (subject: EnvironmentSubject): Refused | undefined => firstFailure(guards, subject)
