import type { SentAccount } from '../parameters/account.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import { sentBankAccount } from './bank-account.ts'
import { sentCard } from './card.ts'
import { sentGiftCard } from './gift-card.ts'
import type { Instrument } from './instrument.ts'
import { sentTerminalCard } from './terminal-card.ts'
import { sentTokenAccount } from './token-account.ts'
import { sentVirtualAccount } from './virtual-account.ts'
import { sentWallet } from './wallet.ts'

/** The instrument of the account that a request contains. */
export function instrumentOfRequest(request: AccountRequest<SentAccount>): Instrument {
  const { account } = request
  switch (account.structure) {
    case 'card':
      return sentCard(request, account)
    case 'bankAccount':
      return sentBankAccount(request, account)
    case 'virtualAccount':
      return sentVirtualAccount(account)
    case 'tokenAccount':
      return sentTokenAccount(request, account)
    case 'giftCard':
      return sentGiftCard(account)
    case 'walletA':
    case 'walletB':
    case 'walletC':
      return sentWallet(request, account)
    case 'pos':
      return sentTerminalCard(request, account)
  }
}
