import { writeSync } from 'node:fs'
import { writeHeapSnapshot } from 'node:v8'
import { isMainThread } from 'node:worker_threads'

// This module is preloaded into a gateway that is started with --expose-gc. SIGUSR2 collects garbage; SIGHUP writes a
// heap snapshot to the file that TOLLGATE_TEST_SNAPSHOT names. Their completion is reported on standard error.

if (isMainThread) {
  process.on('SIGUSR2', () => {
    // Each further collection frees objects that finalizers of the previous collection released.
    for (let round = 0; round < 4; round += 1) globalThis.gc?.()
    writeSync(2, 'collected\n')
  })
  process.on('SIGHUP', () => {
    writeHeapSnapshot(process.env['TOLLGATE_TEST_SNAPSHOT'])
    writeSync(2, 'written\n')
  })
}
