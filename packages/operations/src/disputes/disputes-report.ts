import type { Context } from '../context.ts'
import { type Columns, type Report, reportOf } from '../ledger/report.ts'
import type { DisputeView } from './dispute-view.ts'
import { type DisputeFilter, disputePage } from './list-disputes.ts'

const columns: Columns<DisputeView> = {
  id: ({ id }) => id,
  merchantId: ({ merchantId }) => merchantId,
  channelId: ({ channelId }) => channelId,
  paymentId: ({ paymentId }) => paymentId,
  paymentType: ({ paymentType }) => paymentType,
  brand: ({ brand }) => brand,
  network: ({ network }) => network,
  state: ({ state }) => state,
  stage: ({ stage }) => stage,
  reason: ({ reason }) => reason,
  resultCode: ({ resultCode }) => resultCode,
  meaning: ({ meaning }) => meaning,
  amount: ({ amount }) => (amount === null ? null : { decimal: amount }),
  currency: ({ currency }) => currency,
  receivedOn: ({ receivedOn }) => receivedOn,
  dueOn: ({ dueOn }) => dueOn,
  dueInDays: ({ dueInDays }) => dueInDays,
  isLiabilityShifted: ({ isLiabilityShifted }) => String(isLiabilityShifted),
  openedOn: ({ openedOn }) => openedOn,
}

/** The disputes of a filter, in the order of `disputePage`. */
export const disputesReport = (
  dependencies: Pick<Context, 'storage' | 'directory' | 'clock'>,
  filter: DisputeFilter,
): Report => reportOf({}, 'disputes', columns, pagesOf(dependencies, filter))

async function* pagesOf(
  dependencies: Pick<Context, 'storage' | 'directory' | 'clock'>,
  filter: DisputeFilter,
): AsyncGenerator<readonly DisputeView[]> {
  for (let after: string | undefined; ; ) {
    const { disputes, next } = await disputePage(dependencies, filter, after)
    yield disputes
    if (next === undefined) return
    after = next
  }
}
