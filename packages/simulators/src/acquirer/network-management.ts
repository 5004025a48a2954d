/** The state of a connection. */
export interface HostSession {
  isSignedOn: boolean
}

/** The function of a network message. @returns the response code */
type NetworkFunction = (session: HostSession) => string

const acknowledge: NetworkFunction = () => '00'

/** Functions by field 70. */
const functions: Readonly<Record<string, NetworkFunction>> = {
  '001': (session) => {
    session.isSignedOn = true
    return '00'
  },
  '002': (session) => {
    session.isSignedOn = false
    return '00'
  },
  '161': acknowledge,
  '201': acknowledge,
  '301': acknowledge,
}

const UNSUPPORTED = '40'

/** Signs a connection on or off; acknowledges an echo, a cutover and a key change. Other functions are unsupported. */
export const manageNetwork = (session: HostSession, code = ''): string => functions[code]?.(session) ?? UNSUPPORTED
