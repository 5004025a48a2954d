import { startSimulators } from '@tollgate/simulators'
import { launch, type LaunchedProcess, tollgate } from './process.ts'

// The simulated acquirer to which payments with `testMode=EXTERNAL` are sent, and its views.

/** The address of the acquirer's views. Its messages use another port. */
export interface AcquirerViews {
  readonly url: string
}

/** A transaction at the acquirer. Amounts of a hold or sale include its captures, refunds and reversals. */
export interface HostTransaction {
  readonly terminal: string
  readonly stan: string
  readonly transmittedAt: string
  readonly rrn: string
  readonly type: string
  readonly kind: string
  readonly state: string
  readonly requestedMinor: number
  readonly authorisedMinor: number
  readonly capturedMinor: number
  readonly refundedMinor: number
  readonly reversedMinor: number
  readonly responseCode: string
  readonly approvalCode?: string
  /** The masked number, or `encrypted` if a terminal encrypted the card. */
  readonly card: string
  readonly cardHash: string
  readonly pointOfSale: {
    readonly entryMode: string
    readonly cardSequence?: string
    readonly condition: string
    readonly localTime: string
    readonly terminal?: string
    readonly sale?: string
    readonly hasPin: boolean
    readonly hasChipData: boolean
  }
}

/** A fault of the acquirer, and the number of messages to which it was applied. */
export interface Fault {
  readonly knob: string
  readonly value?: number
  readonly types?: readonly string[]
  readonly next?: number
  readonly every?: number
  readonly applied?: number
}

/** The acquirer shows at most this number of transactions. */
const shownMax = 10_000

/** All transactions of an acquirer, the oldest first. */
export async function hostTransactions({ url }: AcquirerViews): Promise<readonly HostTransaction[]> {
  const view = await fetch(`${url}/acquirer/transactions?limit=${shownMax}`)
  const { count, transactions }: { count: number; transactions: HostTransaction[] } = JSON.parse(await view.text())
  if (count > shownMax) throw new Error(`the acquirer shows ${shownMax} of its ${count} transactions`)
  return transactions.toReversed()
}

/** Sets the faults of an acquirer; an empty list ends all. */
export async function setFaults({ url }: AcquirerViews, faults: readonly Fault[]): Promise<void> {
  const answer = await fetch(`${url}/acquirer/faults`, { method: 'PUT', body: JSON.stringify(faults) })
  if (!answer.ok) throw new Error(`the faults were refused: ${await answer.text()}`)
}

export async function readFaults({ url }: AcquirerViews): Promise<readonly Fault[]> {
  const { faults }: { faults: readonly Fault[] } = JSON.parse(await (await fetch(`${url}/acquirer/faults`)).text())
  return faults
}

/** Settings of a gateway whose acquirer is another process, and that has no simulators of its own. */
export const settingsForHost = (acquirerPort: string): Readonly<Record<string, string>> => ({
  TOLLGATE_SIMULATOR_PORT: 'off',
  TOLLGATE_SHOP_PORT: 'off',
  TOLLGATE_ACQUIRER_ADDRESS: `127.0.0.1:${acquirerPort}`,
})

/** An acquirer in the process of the test, which forgets its transactions when it is closed. */
export async function openHost(acquirerPort: string): Promise<AcquirerViews & { close(): Promise<void> }> {
  return startSimulators({ host: '127.0.0.1', port: 0, acquirerPort: Number(acquirerPort), create: () => [] })
}

/** An acquirer in a process of its own, which finds its transactions in its file when it is started again. */
export interface HostProcess extends AcquirerViews, Pick<LaunchedProcess, 'signal' | 'ended'> {
  readonly kill9: () => Promise<void>
  /** Starts another process with the same file and port. */
  readonly restart: () => Promise<HostProcess>
}

/**
 * Starts `tollgate simulate`.
 *
 * @param folder the folder of its file
 * @param further options of the command
 */
export async function startHost(
  acquirerPort: string,
  folder: string,
  further: readonly string[] = [],
): Promise<HostProcess> {
  const options = ['--port', '0', '--acquirer-port', acquirerPort, '--acquirer-file', `${folder}/acquirer.journal`]
  const command = [process.execPath, tollgate, 'simulate', ...options, ...further]
  const launched = launch({
    data: folder,
    program: { command, folder, user: undefined, listenerName: 'Simulators' },
  })
  const url = await launched.listening
  return {
    url,
    signal: launched.signal,
    ended: launched.ended,
    async kill9() {
      launched.signal('SIGKILL')
      await launched.ended
    },
    restart: () => startHost(acquirerPort, folder, further),
  }
}
