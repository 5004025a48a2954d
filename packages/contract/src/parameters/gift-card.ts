import { oneOf, text } from '../format.ts'
import { NO_PAN, row, section } from '../section.ts'

const type = oneOf(
  'ANNIVERSARY',
  'BIRTHDAY',
  'CONGRATULATIONS',
  'APRIL_FOOLS_DAY',
  'EASTER',
  'FATHERS_DAY',
  'GRADUATION',
  'HOLIDAY',
  'SEASONS_GREETINGS',
  'PASSOVER',
  'KWANZAA',
  'HALLOWEEN',
  'MOTHERS_DAY',
  'NEW_YEARS_DAY',
  'BOSSES_DAY',
  'ST_PATRICKS_DAY',
  'SWEETEST_DAY',
  'CHRISTMAS',
  'BABY_SHOWER',
  'THANKSGIVING',
  'OTHER',
  'VALENTINES_DAY',
  'WEDDING',
  'SECRETARYS_DAY',
  'CHINESE_NEW_YEAR',
  'HANUKKAH',
  'CELEBRATE_FALL',
  'GRANDPARENTS_DAY',
  'INDEPENDENCE_DAY',
)

export const giftCard = section('Gift card', 'payment', [
  row('giftCard.number', text(2, 255), 'O', '', { secret: 'account' }),
  row('giftCard.pin', text(2, 255), 'O', '', { secret: 'pin' }),
  row('giftCard.holder', text(2, 255), 'O', '', NO_PAN),
  row('giftCard.message', text(2, 160), 'O'),
  row('giftCard.type', type, 'O'),
])
