import type { ResultCode } from '@tollgate/contract'
import type { TestMode } from './payment/transaction.ts'

const approvals: Readonly<Record<NonNullable<TestMode>, ResultCode>> = {
  INTERNAL: '000.100.110',
  EXTERNAL: '000.100.112',
}

/**
 * The result code of a success: "In test mode a successful result may carry a result code that states the request was
 * processed in a test mode" (contract, What the service does).
 *
 * @param testMode null in the live environment
 */
export const successCode = (testMode: TestMode): ResultCode => (testMode === null ? '000.000.000' : approvals[testMode])

/** The values of testMode, the destination of a test transaction. */
export const testModes = ['INTERNAL', 'EXTERNAL'] as const satisfies readonly TestMode[]

/** Whether a text is a value of testMode. */
export const isTestMode = (text: string): text is NonNullable<TestMode> => testModes.some((mode) => mode === text)
