/** Retries and cards of subscriptions that the bank does not allow. */
export const RETRY_PROBLEMS = {
  card_not_retried: [
    'The bank does not accept another charge of this card: set a new card',
    'El banco no acepta más cobros a esta tarjeta: registra otra.',
  ],
  retry_too_early: [
    'The bank asked to wait before the next charge of this card: retry later, or set a new card',
    'El banco pidió esperar antes de otro cobro a esta tarjeta: reintenta más tarde o registra otra.',
  ],
  card_number_refused: [
    'The bank refused this card number permanently: set a card with another number',
    'El banco rechazó este número de tarjeta de forma definitiva: registra una tarjeta con otro número.',
  ],
} as const;
