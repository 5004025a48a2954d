import { describeConformance } from '../testing/index.ts'
import { createSimulator } from './simulator.ts'

const amount =
  (amountMinor: number, partialApproval = false) =>
  () => ({ amountMinor, partialApproval })

describeConformance({
  name: 'to the simulator in the same process',
  begins: ['PA', 'DB', 'CD'],
  follows: ['PA', 'CP', 'RV', 'RF'],
  methods: [],
  approved: () => ({}),
  // 888NN.MM is answered with the response NN.
  declined: { changes: amount(8_885_100), code: '800.100.155' },
  partial: { changes: amount(8_881_000), approvedMinor: 4_440_500 },
  withoutFaults: 'local',
  start: async () => ({ connector: createSimulator(), close: async () => undefined }),
})
