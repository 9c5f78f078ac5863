/** Problems with changes of a subscription. */
export const SUBSCRIPTION_PROBLEMS = {
  subscription_cancelled: ['The subscription is cancelled', 'La suscripción está cancelada.'],
  trial_over: ['The trial of the subscription is over', 'El período de prueba de la suscripción ya terminó.'],
  pause_while_unpaid: [
    'A subscription with an unpaid period cannot be paused',
    'No se puede pausar una suscripción con un período por pagar.',
  ],
  not_paused: ['The subscription is not paused', 'La suscripción no está en pausa.'],
  no_unpaid_period: ['The subscription has no unpaid period', 'La suscripción no tiene períodos por pagar.'],
  resumed_before_period_end: [
    '{field} must be {day} or later, because the current period is paid until the day before',
    'Debe ser {day} o después: el período actual está pagado hasta el día anterior.',
  ],
  not_one_change: ['The body must have exactly one change', 'El cuerpo debe tener exactamente un cambio.'],
} as const;
