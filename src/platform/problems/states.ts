/** Operations that the current state of a resource does not allow. */
export const STATE_PROBLEMS = {
  changed_meanwhile: [
    'Another request changed the same resource at the same time: retry',
    'Otra solicitud cambió lo mismo al mismo tiempo. Intenta otra vez.',
  ],
  database_unreachable: [
    'The database is not responding: retry in a few seconds, with the same Idempotency-Key',
    'La base de datos no responde. Intenta otra vez en unos segundos.',
  ],
  acquirer_unreachable: [
    'The acquirer is not responding: retry in a few seconds, with the same Idempotency-Key',
    'El adquirente no responde. Intenta otra vez.',
  ],
  acquirer_no_answer: [
    'The acquirer did not respond: retry in a few seconds, with the same Idempotency-Key',
    'El adquirente no respondió. Intenta otra vez.',
  ],
  temporal_unreachable: [
    'Temporal, which moves the clock, is not responding: retry in a few seconds',
    'Temporal, que mueve el reloj, no responde. Intenta otra vez.',
  ],
  request_not_approved: [
    'The request for production access is {status}, not approved',
    'La solicitud de producción no está aprobada.',
  ],
  keys_collected: ['The production keys have already been collected', 'Las llaves de producción ya se recogieron.'],
  no_live_request: ['There is no request for production access', 'No hay una solicitud de producción.'],
  already_live: ['This merchant already has production access', 'Esta tienda ya está en producción.'],
  live_request_exists: ['There is already a request for production access', 'Ya hay una solicitud de producción.'],
  live_request_unchangeable: [
    'The request for production access can no longer be changed',
    'La solicitud de producción ya no se puede cambiar.',
  ],
  key_replaced: ['The key has already been replaced', 'La llave ya se reemplazó.'],
  too_many_keys: ['The merchant already has the maximum of {max} keys', 'Ya hay {max} llaves, que es el máximo.'],
  last_full_key: ['This is the last private key without restrictions', 'Es la última llave privada sin restricciones.'],
  too_many_sessions: [
    'The merchant already has the maximum of {max} sessions',
    'Ya hay {max} sesiones, que es el máximo.',
  ],
  too_many_webhooks: [
    'The merchant already has the maximum of {max} webhooks',
    'Ya hay {max} webhooks, que es el máximo.',
  ],
  too_many_fraud_rules: [
    'The merchant already has the maximum of {max} fraud rules',
    'Ya hay {max} reglas antifraude, que es el máximo.',
  ],
  webhook_status: ['The webhook is {status}: verify it first', 'El estado del webhook no lo permite.'],
  too_many_events: [
    'There are more than {max} events in this time range: request a shorter one',
    'Hay más de {max} eventos en ese lapso: elige uno más corto.',
  ],
  wrong_verification_code: [
    'The code does not match the verification event',
    'No es el código del evento de verificación.',
  ],
  customer_has_balance: ['The customer still has a balance', 'El cliente todavía tiene saldo.'],
  customer_is_busy: [
    'The customer has an unfinished charge or a balance',
    'El cliente tiene un cobro sin terminar, o saldo.',
  ],
  customer_deleted: ['The customer has been deleted', 'El cliente fue borrado.'],
  card_in_use: [
    'The card pays for a subscription that has not ended',
    'A la tarjeta se le cobra una suscripción vigente.',
  ],
  above_authorization: ['{field} is more than the authorized amount', 'Es más de lo que se reservó.'],
  not_capturable: [
    'The charge is not an authorization that can be captured or cancelled',
    'El cobro no es una reserva que se pueda cobrar o liberar.',
  ],
  cancelled_as_whole: ['An authorization can only be cancelled in full', 'Una reserva se libera entera.'],
  no_receipt: ['Only a paid charge has a receipt', 'Solo los cobros pagados tienen recibo.'],
  not_refundable: [
    'Only a completed card or Bre-B charge can be refunded',
    'Solo se reembolsan cobros con tarjeta o Bre-B aprobados.',
  ],
  credited_payment: [
    'The payment was credited to its subscription. Return the credit when the subscription has ended',
    'El pago quedó como saldo a favor de la suscripción. Devuélvelo cuando la suscripción termine.',
  ],
  too_many_refunds: [
    'A charge can be refunded at most {max} times',
    'Un cobro se puede reembolsar máximo {max} veces.',
  ],
  above_charge_rest: [
    '{field} is more than the amount left to refund of the charge',
    'Es más de lo que queda del cobro.',
  ],
  named_in_scope: [
    'A session permits this operation only within 10 minutes of its creation, and only if its scope names it',
    'Una sesión permite esta operación solo en los 10 minutos siguientes a su creación, y si su alcance la nombra.',
  ],
  private_key_again: [
    'This operation requires the private key again: repeat the sign-in, and then this request within 10 minutes',
    'Esta operación requiere de nuevo la llave privada, en los últimos 10 minutos.',
  ],
  above_available: [
    'The payout is more than the available balance (available: {available} COP)',
    'El pago es mayor que el saldo disponible ({available} COP).',
  ],
  merchant_balance_below_refund: [
    "The balance of the merchant's account is less than the refund",
    'El saldo de tu cuenta es menor que el reembolso.',
  ],
  customer_balance_below_refund: [
    "The balance of the customer's account is less than the refund",
    'El saldo de la cuenta del cliente es menor que el reembolso.',
  ],
  customer_balance_spent_on_fees: [
    "The balance of the customer's account is less than the refund because of fees: refund a fee first",
    'El saldo de la cuenta del cliente es menor que el reembolso, porque se le cobraron comisiones: devuelve antes una.',
  ],
  nothing_left: ['The charge has no amount left', 'No queda nada del cobro.'],
  chargeback_refused: [
    'A chargeback cannot be {step} on a charge with the status {status}',
    'El estado del cobro no permite este paso del contracargo.',
  ],
  not_decidable: ['This payment is not made outside this service', 'Este pago no se hace por fuera de este servicio.'],
  payment_status: ['The payment is already {status}', 'El pago ya tiene otro resultado.'],
  not_payable_by_simulator: [
    'A charge by {method} with the status {status} is not waiting for a store or bank',
    'El cobro no espera el pago de una tienda ni de un banco.',
  ],
  not_colombia: ['{field} must be COL', 'Debe ser COL.'],
  account_not_allowed: ['{field} must be false', 'Debe ser false.'],
  capture_on_page: ['{field} cannot be false for payments on a page', 'No puede ser false en pagos desde una página.'],
  no_3d_secure: [
    '3-D Secure is not available: omit {field} or send false',
    '3-D Secure no está disponible: omite el campo o envía false.',
  ],
  for_cards_only: ['{field} is only allowed for cards', 'Solo se permite con tarjeta.'],
  for_merchant_level: ['{field} is only allowed for merchant-level charges', 'Solo se permite en cobros de la tienda.'],
  account_customer_by_bank: [
    'A customer with an account cannot use this payment method',
    'Un cliente con cuenta no puede usar este medio de pago.',
  ],
  fee_refund_parts: [
    'A fee can be refunded at most {max} times',
    'Una comisión se puede devolver en máximo {max} partes.',
  ],
  fee_refunded: ['The fee has already been refunded', 'La comisión ya se devolvió.'],
  above_fee_rest: [
    '{field} is more than the amount left to refund of the fee',
    'Es más de lo que queda de la comisión.',
  ],
  default_rule_name: [
    '{field} of a default rule cannot be changed',
    'El nombre de una regla predeterminada no se puede cambiar.',
  ],
  default_rule_deletion: [
    'A default rule cannot be deleted, only disabled',
    'Una regla predeterminada no se borra, solo se apaga.',
  ],
  presets_of_production: ['{field} must be production here', 'Aquí debe ser production.'],
  rule_name_taken: ['{field} is already used by another rule', 'Otra regla ya tiene este nombre.'],
  required_for_rule: ['{field} is required for a rule of the kind {kind}', 'Es obligatorio para este tipo de regla.'],
  not_comparable_number: ['{field} must be a number', 'Debe ser un número.'],
  empty_list_value: ['{field} must not contain an empty value', 'No puede contener un valor vacío.'],
  not_email_list: [
    '{field} must contain e-mail addresses or domains such as @example.com',
    'Escribe direcciones de correo o dominios, como @example.com.',
  ],
  not_network_list: [
    '{field} must contain IP addresses or networks such as 192.0.2.0/24',
    'Escribe direcciones IP o redes, como 192.0.2.0/24.',
  ],
  not_card_list: [
    '{field} must contain ids of saved cards or masked numbers such as 411111XXXXXX1111',
    'Escribe ids de tarjetas guardadas o números enmascarados, como 411111XXXXXX1111.',
  ],
  unknown_customer_listed: ['{field} contains an unknown customer', 'Contiene un cliente que no existe.'],
  unknown_card_listed: ['{field} contains an unknown card', 'Contiene una tarjeta que no existe.'],
  no_bank_account: [
    'The merchant has no bank account: set `bank_account` of the merchant',
    'La tienda no tiene cuenta bancaria: regístrala en los ajustes.',
  ],
  unknown_reported_merchant: ['The merchant of the report does not exist', 'La tienda del reporte no existe.'],
  report_differs: [
    'Another part of this report has a different {member}',
    'Otra parte de este reporte tiene otro valor en {member}.',
  ],
  report_part_differs: [
    'This part of the report was already received with different content',
    'Esta parte del reporte ya llegó con otro contenido.',
  ],
} as const;
