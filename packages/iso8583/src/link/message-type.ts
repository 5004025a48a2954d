/** Digits of a message type: version, class, function, origin. */
const FUNCTION = 2
const REQUEST = 0
const ADVICE = 2

/** Whether a message of this type is a request or an advice, which the receiver answers. */
export const isRequestType = (type: string): boolean => [REQUEST, ADVICE].includes(Number(type[FUNCTION]))

/** The type of the answer: 0110 for 0100, 0430 for 0420 and for its repeat 0421. */
export const responseTypeOf = (type: string): string => `${type.slice(0, FUNCTION)}${Number(type[FUNCTION]) + 1}0`

/** The type of a repeat: 0421 for 0420. The origin is that of the acquirer. */
export const repeatTypeOf = (type: string): string => `${type.slice(0, 3)}1`

/** The type of the first transmission: 0420 for 0421. */
export const firstTypeOf = (type: string): string => `${type.slice(0, 3)}0`

/** Whether a message of this type repeats an earlier one. */
export const isRepeatType = (type: string): boolean => type === repeatTypeOf(type)

/** Version and class, which a request and its answer have in common. */
export const classOf = (type: string): string => type.slice(0, FUNCTION)
