import { syncBuiltinESMExports } from 'node:module'
import threads, { Worker, type WorkerOptions } from 'node:worker_threads'

// A module that is loaded before the profiled gateway (node --import). The gateway starts its threads without the
// options of the process; this module gives them the options again, so that Node profiles them too.

threads.Worker = class extends Worker {
  constructor(file: string | URL, options?: WorkerOptions) {
    super(file, { ...options, execArgv: process.execArgv.filter((option) => option.startsWith('--cpu-prof')) })
  }
}
syncBuiltinESMExports()
