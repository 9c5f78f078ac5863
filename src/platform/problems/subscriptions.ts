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
  change_while_unpaid: [
    'A subscription with an unpaid period cannot be changed now: collect the period first, or change it at the period end',
    'No se puede cambiar ahora una suscripción con un período por pagar: primero cobra el período.',
  ],
  change_during_charge: [
    'A charge of the subscription is due or in progress: repeat the request when it has ended',
    'Hay un cobro pendiente o en curso: repite la solicitud cuando termine.',
  ],
  change_while_paused: [
    'The subscription is paused: resume it first, or change it at the period end',
    'La suscripción está en pausa: primero reanúdala.',
  ],
  nothing_changes: [
    'The subscription has this plan and quantity already',
    'La suscripción ya tiene este plan y esta cantidad.',
  ],
  no_planned_change: ['The subscription has no planned change', 'La suscripción no tiene un cambio programado.'],
  no_coupon: ['The subscription has no coupon', 'La suscripción no tiene cupón.'],
  no_extra: ['The extra does not exist, or was billed', 'El extra no existe o ya se cobró.'],
  no_credit_owed: ['The subscription has not ended with a credit', 'La suscripción no terminó con saldo a favor.'],
  too_many_extras: [
    'The next period has 100 extras: send sums instead',
    'El próximo período ya tiene 100 extras: envía sumas.',
  ],
  amount_too_large: [
    'The next charge would exceed 9,999,999,999,999.99',
    'El próximo cobro superaría 9.999.999.999.999,99.',
  ],
  coupon_applied: ['The subscription has this coupon already', 'La suscripción ya tiene este cupón.'],
  coupon_code_taken: ['{field} is used by another coupon', 'Otro cupón ya tiene este código.'],
  one_discount: ['{field} or amount_off is required, and not both', 'Indica un porcentaje o un valor, y no ambos.'],
  periods_with_duration: [
    '{field} is required with the duration `periods`, and not allowed otherwise',
    'Es obligatorio con la duración por períodos, y solo con ella.',
  ],
  coupon_not_usable: [
    '{field} does not exist, has expired, is used up, or is not for this plan',
    'No existe, venció, se agotó o no es para este plan.',
  ],
  replacement_running: [
    'A replacement of the plan is running: repeat the request when it is done',
    'El plan ya se está reemplazando: repite la solicitud cuando termine.',
  ],
  no_replacement: ['The plan was never replaced', 'El plan nunca se ha reemplazado.'],
  use_change: ['{field} changes with POST …/change', 'Se cambia con POST …/change.'],
  not_one_change: ['The body must have exactly one change', 'El cuerpo debe tener exactamente un cambio.'],
} as const;
