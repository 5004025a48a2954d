/** Versions of EMV 3-D Secure that are spoken here, oldest first. */
export const protocolVersions = ['2.1.0', '2.2.0'] as const

/** Value of `messageVersion`. */
export type ProtocolVersion = (typeof protocolVersions)[number]

/** Whether messages of this version can be read and written here. */
export const isProtocolVersion = (version: unknown): version is ProtocolVersion =>
  protocolVersions.some((known) => known === version)

/** Whether what came with version `since` is part of `version`. */
export const includes = (version: ProtocolVersion, since: ProtocolVersion): boolean =>
  protocolVersions.indexOf(version) >= protocolVersions.indexOf(since)
