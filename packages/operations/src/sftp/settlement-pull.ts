import type { JobRow, SftpAccountRow } from '@tollgate/storage'
import { newJob } from '../records/new-job.ts'
import { SETTLEMENT_FILES } from './sftp-accounts.ts'

/** The kind of job that pulls settlement files. A source has one as long as it exists, with the id of the source. */
export const SETTLEMENT_PULL = 'settlement-pull'

/** The job of a new source, due at once; none for accounts to which files are delivered. */
export const pullJobsOf = ({ id, purpose, created_at_ms: atMs }: SftpAccountRow): readonly JobRow[] =>
  purpose === SETTLEMENT_FILES
    ? [newJob({ id, merchant: '', kind: SETTLEMENT_PULL, subject_id: id, due_at_ms: atMs, created_at_ms: atMs })]
    : []
