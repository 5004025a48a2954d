import { type Begin, begin } from './command.ts'

/** DB: authorises and captures at once. */
export const debit: Begin = (command) => begin(command, 1)
