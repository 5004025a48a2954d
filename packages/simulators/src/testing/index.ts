/**
 * The parts of an acquirer's host without its sockets and files, for tests of other packages that replace both. The
 * product does not use this module.
 */
export { createCardIndex } from '../acquirer/card.ts'
export { type HostSocket, serveConnection } from '../acquirer/connection.ts'
export { type ActiveFaults, type FaultSwitch, type KnobName, knobs } from '../acquirer/faults.ts'
export { createHeldAnswers } from '../acquirer/held-answers.ts'
export { type AcquirerHost, createHost, type HostReply } from '../acquirer/host.ts'
export { type HostMessage, hostSpecs } from '../acquirer/host-message.ts'
export { applyEntry, createHostState, type HostState, type JournalEntry } from '../acquirer/host-state.ts'
export type { HostJournal } from '../acquirer/journal.ts'
export { firstTypeOf, messageTypes } from '../acquirer/message-types.ts'
export { newestTransactions, type TransactionView } from '../acquirer/views.ts'
