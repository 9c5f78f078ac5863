/** Short names of the reasons for a decline. */
import { pick } from '../../shared/language';

const names: Record<string, string> = pick({
  es: {
    declined: 'Rechazada por el banco',
    card_expired: 'Tarjeta vencida',
    insufficient_funds: 'Fondos insuficientes',
    card_stolen: 'Tarjeta robada',
    fraud: 'Sospecha de fraude',
    not_allowed: 'Operación no permitida',
    not_online: 'No permite compras por internet',
    card_lost: 'Tarjeta perdida',
    card_restricted: 'Tarjeta restringida',
    card_retained: 'Tarjeta retenida',
    bank_authorization: 'Requiere autorización del banco',
    transfer_refused: 'Transferencia rechazada',
    unavailable: 'Sin respuesta del adquirente',
    expiration_in_past: 'Tarjeta vencida',
    wrong_cvv2: 'Código de seguridad incorrecto',
  } as Record<string, string>,
  en: {
    declined: 'Declined by the bank',
    card_expired: 'Expired card',
    insufficient_funds: 'Insufficient funds',
    card_stolen: 'Stolen card',
    fraud: 'Suspected fraud',
    not_allowed: 'Transaction not allowed',
    not_online: 'No online purchases',
    card_lost: 'Lost card',
    card_restricted: 'Restricted card',
    card_retained: 'Retained card',
    bank_authorization: 'Bank authorization required',
    transfer_refused: 'Transfer rejected',
    unavailable: 'No response from the acquirer',
    expiration_in_past: 'Expired card',
    wrong_cvv2: 'Incorrect security code',
  },
});

export const reasonName = (kind: string): string => names[kind] ?? kind.replaceAll('_', ' ');

const CODES = {
  3001: 'declined',
  3002: 'card_expired',
  3003: 'insufficient_funds',
  3004: 'card_stolen',
  3005: 'fraud',
  3006: 'not_allowed',
  3008: 'not_online',
  3009: 'card_lost',
  3010: 'card_restricted',
  3011: 'card_retained',
  3012: 'bank_authorization',
  1007: 'transfer_refused',
  1004: 'unavailable',
};

export const reasonOptions = Object.entries(CODES).map(([code, kind]) => [code, reasonName(kind)] as const);

/** Declines by the bank of the card. */
export const declineOptions = reasonOptions.filter(([code]) => Number(code) > 3000);
