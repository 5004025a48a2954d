import { pattern } from '../format.ts'
import { row, section } from '../section.ts'

/** The page of a query (GET /v3/query). */
export const paging = section('Paging', 'query', [
  row('pageNo', pattern('1 to 999999', /^[1-9][0-9]{0,5}$/), 'O', 'GET /v3/query: the page, default 1.'),
])
