/** Supported versions of EMV 3-D Secure, oldest first. */
export const protocolVersions = ['2.1.0', '2.2.0'] as const

/** Value of `messageVersion`. */
export type ProtocolVersion = (typeof protocolVersions)[number]

/** Whether a version is supported. */
export const isProtocolVersion = (version: unknown): version is ProtocolVersion =>
  protocolVersions.some((supported) => supported === version)

/** Whether `version` is `since` or later. */
export const isAtLeast = (version: ProtocolVersion, since: ProtocolVersion): boolean =>
  protocolVersions.indexOf(version) >= protocolVersions.indexOf(since)
