import {
  type BackgroundTask,
  closeDays,
  composeDeliveries,
  eraseCardDeclines,
  eraseDelivered,
  eraseEvents,
  eraseEvidence,
  explainAgain,
  eraseNumbers,
  eraseReportSnapshots,
  eraseShopperData,
  eraseVelocity,
  expireDisputes,
  matchAgain,
  postTransactions,
  readFiles,
  receiveFile,
  recordChargebacks,
  removeBrokenUploads,
  updateAccounts,
} from '@tollgate/operations'
import type { Gateway } from './gateway.ts'
import { rewrap } from './keys/rewrap.task.ts'
import { type BackgroundTasks, startBackgroundTasks } from './runtime/background-tasks.ts'
import { watchSettlementFolder } from './runtime/settlement-folder.ts'
import { storeTimeTask } from './runtime/clock/stored-clock.ts'

/** Starts the background tasks that one of the processes on a storage does at a time. */
export function startTasks(gateway: Gateway): BackgroundTasks {
  const { clock, log, storage, eventLoop } = gateway
  const tasks = [
    rewrap(gateway),
    postTransactions(gateway),
    closeDays(gateway),
    updateAccounts(gateway),
    readFiles(gateway),
    matchAgain(gateway),
    explainAgain(gateway),
    recordChargebacks(gateway),
    removeBrokenUploads(gateway),
    composeDeliveries(gateway),
    eraseDelivered(gateway),
    expireDisputes(gateway),
    eraseNumbers(gateway),
    eraseVelocity(gateway),
    eraseCardDeclines(gateway),
    eraseShopperData(gateway),
    eraseReportSnapshots(gateway),
    eraseEvents(gateway),
    eraseEvidence(gateway),
    storeTimeTask(gateway),
  ]
  return startBackgroundTasks(tasks, { clock, log, peers: storage.peers, eventLoop })
}

/** The task of the folder in which settlement files arrive, if a folder is set: a process may have one of its own. */
export function settlementFolderTasks(gateway: Gateway): readonly BackgroundTask[] {
  const { clock, log, config } = gateway
  const folder = config.settlementFolder
  if (folder === undefined) return []
  return [watchSettlementFolder({ folder, clock, log, receive: (file) => receiveFile(gateway, file) })]
}
