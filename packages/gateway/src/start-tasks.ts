import {
  closeDays,
  eraseCardDeclines,
  eraseEvents,
  eraseNumbers,
  eraseShopperData,
  eraseVelocity,
  matchAgain,
  postTransactions,
  readFiles,
  recordChargebacks,
} from '@tollgate/operations'
import type { Gateway } from './gateway.ts'
import { rewrap } from './keys/rewrap.task.ts'
import { type BackgroundTasks, startBackgroundTasks } from './runtime/background-tasks.ts'
import { storeTimeTask } from './runtime/clock/stored-clock.ts'

/** Starts the background tasks that one of the processes on a storage does at a time. */
export function startTasks(gateway: Gateway): BackgroundTasks {
  const { clock, log, storage, eventLoop } = gateway
  const tasks = [
    rewrap(gateway),
    postTransactions(gateway),
    closeDays(gateway),
    readFiles(gateway),
    matchAgain(gateway),
    recordChargebacks(gateway),
    eraseNumbers(gateway),
    eraseVelocity(gateway),
    eraseCardDeclines(gateway),
    eraseShopperData(gateway),
    eraseEvents(gateway),
    storeTimeTask(gateway),
  ]
  return startBackgroundTasks(tasks, { clock, log, peers: storage.peers, wait: eventLoop.wait })
}
