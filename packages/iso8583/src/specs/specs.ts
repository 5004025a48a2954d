import { ascii, binary, type Spec } from '../spec.ts'
import { fields1987 } from './fields-1987.ts'
import { fields1993 } from './fields-1993.ts'

/** The 1987 edition as text: the default of links. */
export const ascii1987: Spec<typeof fields1987> = { name: '1987 ASCII', fields: fields1987, dialect: ascii }
/** The 1987 edition with binary bitmaps and BCD digits. */
export const binary1987: Spec<typeof fields1987> = { name: '1987 binary', fields: fields1987, dialect: binary }
/** The 1993 edition with binary bitmaps and BCD digits. */
export const binary1993: Spec<typeof fields1993> = { name: '1993 binary', fields: fields1993, dialect: binary }

/** The specifications by the names of settings. */
export const specs = { ascii1987, binary1987, binary1993 } as const

export type SpecName = keyof typeof specs
