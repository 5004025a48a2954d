/** What to do if a connection to an acquirer fails, by the reason. The first row that matches applies. */
const remedies: readonly (readonly [reason: RegExp, remedy: string])[] = [
  [/pinned key/, 'ask the acquirer whether its key has changed, and only then change settings/tls/pinnedKey'],
  [/certificate of the client/, 'replace the credentials with `tollgate connector rotate`, or ask the acquirer'],
  [/^the certificate is not valid/, 'compare settings/tls/ca and settings/tls/serverName with those of the acquirer'],
  [/TLS/, 'compare settings/tls with the acquirer’s requirements: only one side may use TLS'],
  [/connection was refused/, 'compare settings/addresses with those of the acquirer, whose host does not listen there'],
  [/cannot be reached|got no answer|not open in time/, 'check firewall and VPN, and whether the acquirer admits you'],
  [/^E[A-Z_]+$/, 'check the name in settings/addresses, and the name servers of this machine'],
  [/^the host refused the network message/, 'ask the acquirer to enable the account'],
  [/^the host did not answer|invalid message/, 'compare spec and header in settings/profile with the acquirer’s'],
]

const OTHERWISE = 'ask the acquirer, whose host may not admit this address or certificate'

/** @param reason why the host has not accepted a test message */
export const connectionRemedy = (reason: string): string =>
  remedies.find(([pattern]) => pattern.test(reason))?.[1] ?? OTHERWISE
