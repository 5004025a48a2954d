import { date, oneOf } from '../format.ts'
import { row, section } from '../section.ts'

export const reporting = section('Reporting parameters', 'report', [
  row('date.from', date, 'R', 'Start of report data.'),
  row('date.to', date, 'R', 'End of report data.'),
  row('sortValue', oneOf('SettlementTxDate'), 'O', 'Sort key of the detail-level settlement report.'),
  row('sortOrder', oneOf('ASC', 'DESC', 'asc', 'desc'), 'O'),
])
