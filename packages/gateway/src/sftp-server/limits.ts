/** Bounds of the SFTP server of records. Times are in milliseconds. */
export const sftpServerLimits = {
  /**
   * The process of the SFTP server: its heap, its share of the processor (nice), pause between two of its reports, and
   * the time without a report after which it is killed.
   */
  sftpHeapMegabytes: 256,
  sftpNiceness: 10,
  sftpReportMs: 2_000,
  sftpSilenceMsMax: 30_000,
  /** Time that the process has to end on request before it is killed. */
  sftpStopMs: 2_000,
  /** Wait before it is started again: doubled after each end, until it has run for a while. */
  sftpRestartMs: 500,
  sftpRestartMsMax: 60_000,
  sftpStableMs: 60_000,
  /** Logins that one of its reports names. */
  sftpLoginsPerReport: 100,
  /** Pause between two reads of the keys of SFTP: a revoked key ends its sessions within it and the next tick. */
  sftpKeysEveryMs: 3_000,
  /** Days of which the SFTP server has records: a year, and some weeks to fetch it. */
  recordDaysMax: 400,
  /** Pause between two sweeps of the record folder. The newest days are examined in each, the others in turn. */
  recordFolderEveryMs: 60_000,
  /** Pause between two checks whether a sweep is due. */
  recordFolderPollMs: 2_000,
  recordDaysFresh: 5,
  recordDaysInTurn: 4,
  /** Pause between two days, and between two pages of a file, so that payments keep most of the time. */
  recordPauseMs: 5,
  /** Bytes of a row for the estimate of a file, and bytes of the disk that records leave free. */
  recordRowBytes: 1_000,
  recordFreeBytesMin: 1_073_741_824,
} as const
