/** Why a charge was not made, in a few words. */
import { pick } from '../language';

const names: Record<string, string> = pick({
  es: {
    declined: 'Rechazada por el banco',
    card_expired: 'Tarjeta vencida',
    insufficient_funds: 'Sin fondos suficientes',
    card_stolen: 'Tarjeta robada',
    fraud: 'Sospecha de fraude',
    not_allowed: 'Operación no permitida',
    not_online: 'No sirve en línea',
    card_lost: 'Tarjeta perdida',
    card_restricted: 'Tarjeta restringida',
    card_retained: 'Tarjeta retenida',
    bank_authorization: 'El banco debe autorizarla',
    transfer_refused: 'Transferencia no aceptada',
    unavailable: 'Sin respuesta del adquirente',
    expiration_in_past: 'Tarjeta vencida',
    wrong_cvv2: 'Código de seguridad errado',
  } as Record<string, string>,
  en: {
    declined: 'Declined by the bank',
    card_expired: 'Card has expired',
    insufficient_funds: 'Not enough funds',
    card_stolen: 'Stolen card',
    fraud: 'Suspected fraud',
    not_allowed: 'Not allowed',
    not_online: 'Not for online use',
    card_lost: 'Lost card',
    card_restricted: 'Restricted card',
    card_retained: 'Retained card',
    bank_authorization: 'Bank has to authorize it',
    transfer_refused: 'Transfer not accepted',
    unavailable: 'No answer from the acquirer',
    expiration_in_past: 'Card has expired',
    wrong_cvv2: 'Wrong security code',
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

/** Each code with its name. */
export const reasonOptions = Object.entries(CODES).map(([code, kind]) => [code, reasonName(kind)] as const);

/** What the bank of a card answers, as opposed to what never reached it. */
export const declineOptions = reasonOptions.filter(([code]) => Number(code) > 3000);
