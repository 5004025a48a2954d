import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type DataSet, openPostgresDataSet, openSqliteDataSet, rowsOf } from '@tollgate/storage'
import { compareKeyCheck, openVault, type Vault } from '@tollgate/vault'
import type { Config } from '../../config.ts'
import { KEY_CHECK, readKeys } from '../../keys/open-keys.ts'
import { dataError } from '../data-error.ts'
import { scanIntegrity, type Report, type ScanProgress } from './integrity-scan.ts'

/** The numbers of examined rows and of faults. */
export interface ExaminationCounts {
  readonly rows: number
  readonly findings: number
}

/**
 * Examines the data of a gateway, which may be running: whether every referenced row exists, every value is valid, the
 * rules permit every payment, and every number and key of a webhook opens with the configured keys. It changes nothing.
 * Rows have no checksums, so an altered value that a gateway could have written is not detected.
 *
 * @throws ConfigError of one line if the data or the keys cannot be read at all
 */
export async function examineData(config: Config, report: Report, progress: ScanProgress): Promise<ExaminationCounts> {
  const { data, databaseUrl } = config
  const file = join(data, 'tollgate.db')
  let findings = 0
  const reportAndCount: Report = (finding) => {
    findings += 1
    report(finding)
  }
  try {
    const { ring } = await readKeys(config)
    const dataSet = databaseUrl === undefined ? openSqliteDataSet(file) : await openPostgresDataSet(databaseUrl)
    try {
      if (await dataSet.hasUnfinishedMove()) {
        reportAndCount('the database contains an unfinished move: run tollgate migrate again until it completes')
        return { rows: 0, findings }
      }
      const stored = await storedKeyCheckOf(dataSet)
      const problems = stored === undefined ? ['the data has no key-check value'] : compareKeyCheck(stored, ring)
      for (const problem of problems) reportAndCount(`the keys: ${problem}`)
      const vault: Vault | undefined = problems.length === 0 ? openVault(ring, randomBytes) : undefined
      const rows = await scanIntegrity(dataSet, vault, reportAndCount, progress)
      await vault?.close()
      return { rows, findings }
    } finally {
      await dataSet.close()
    }
  } catch (error) {
    throw dataError(error, databaseUrl, file)
  }
}

async function storedKeyCheckOf(dataSet: DataSet): Promise<string | undefined> {
  for await (const { name, value } of rowsOf(dataSet, 'installation')) if (name === KEY_CHECK) return value
  return undefined
}
