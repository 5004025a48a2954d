/** The 3DS server's reference number. EMVCo assigns one to each approved server; this is a test number. */
export const SERVER_REFERENCE = '3DS_LOA_SER_TLGT_020200_00000'
