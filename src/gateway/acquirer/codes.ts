/** The acquirer's response codes (ISO 8583) and the API error of each. */
import type { ErrorKind } from '../../platform/errors';

export const APPROVED = '00';

export const errorsByResponseCode: Readonly<Record<string, ErrorKind>> = {
  '01': 'bank_authorization',
  '04': 'card_retained',
  '05': 'declined',
  '12': 'not_allowed',
  '41': 'card_lost',
  '43': 'card_stolen',
  '51': 'insufficient_funds',
  '54': 'card_expired',
  '57': 'not_online',
  '59': 'fraud',
  '62': 'card_restricted',
  '93': 'transfer_refused',
};
