import { text } from '../format.ts'
import { mapKey } from './map-key.ts'
import { row, section } from '../section.ts'

export const customParameters = section('Custom parameters', 'payment', [
  row(
    'customParameters[name]',
    text(0, 2048),
    'C',
    'Echoed in the response, also if the value is empty. From client-side code the name must start with SHOPPER_.',
    { key: mapKey, acceptsEmpty: true },
  ),
])
