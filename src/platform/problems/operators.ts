/** Problems that only operators see. */
export const OPERATOR_PROBLEMS = {
  unknown_request: ['There is no request for production access {id}', 'No existe la solicitud de producción {id}.'],
  sandbox_suspended: ['The sandbox merchant is suspended', 'La tienda de prueba está suspendida.'],
  request_status: [
    'The request for production access is {status}, not {expected}',
    'El estado de la solicitud de producción no lo permite.',
  ],
  not_suspended: ['The merchant is not suspended', 'La tienda no está suspendida.'],
  already_suspended: ['The merchant is already suspended', 'La tienda ya está suspendida.'],
  ended_not_holdable: [
    '{id} has ended and cannot be put on billing hold',
    '{id} ya terminó: no hay cobros que pausar.',
  ],
  unknown_hold_target: [
    'No subscription, customer, plan or merchant has the ID {id}',
    'No existe la suscripción, cliente, plan o tienda {id}.',
  ],
  other_environment: ['{id} belongs to the {environment} environment', '{id} es del ambiente {environment}.'],
  hold_released: ['The billing hold has just been released', 'La pausa de cobros se acaba de levantar.'],
  already_held: ['Billing is already on hold {hold}', 'Los cobros ya están en pausa: {hold}'],
  not_held: ['Billing is not on hold', 'Los cobros no están en pausa.'],
  resume_merchant_first: [
    'The merchant is suspended: resume it first',
    'La tienda está suspendida: reactívala primero.',
  ],
  no_open_attempt: [
    'No charge of the subscription is waiting for the acquirer',
    'Ningún cobro de la suscripción espera respuesta del adquirente.',
  ],
  no_open_attempt_of: [
    'No attempt of {id} is waiting for the acquirer',
    'Ningún intento de {id} espera respuesta del adquirente.',
  ],
  not_percentage: ['{field} must be between 0 and 100', 'Debe estar entre 0 y 100.'],
  not_duration: [
    '{field} must be a duration of at most a day, such as 30s, 10m or 2h',
    'Debe ser un lapso de máximo un día, como 30s, 10m o 2h.',
  ],
  not_time_or_day_here: [
    '{field} must be a date or a timestamp such as 2026-12-01T08:00:00-05:00',
    'Debe ser una fecha, con hora o sin ella, como 2026-12-01T08:00:00-05:00.',
  ],
  not_whole_number_within: [
    '{field} must be a whole number from {min} to {max}',
    'Debe ser un número entero de {min} a {max}.',
  ],
  no_workers: ['There are no workers', 'No hay workers.'],
  unknown_worker: ['There is no worker {id}', 'No existe el worker {id}.'],
  unknown_payment: ['There is no transaction or subscription {id}', 'No existe la transacción o suscripción {id}.'],
  outcome_known: ['The outcome of {id} is already known: {status}', 'El resultado de {id} ya se conoce: {status}.'],
  being_processed: [
    '{id} is being processed until {until} and will be resolved automatically after that',
    '{id} está en proceso hasta {until} y luego se resuelve sin ayuda.',
  ],
  unknown_subscription: ['There is no subscription {id}', 'No existe la suscripción {id}.'],
  workflow_not_needed: [
    '{id} has ended ({over}) and needs no workflow',
    '{id} ya terminó ({over}) y no necesita un workflow.',
  ],
  temporal_problem: ['Temporal is {problem}', 'Temporal: {problem}'],
  temporal_query: ['Temporal refuses the query: {problem}', 'Temporal no acepta la consulta: {problem}'],
  unknown_bulk_action: ['There is no bulk action {id}', 'No existe la acción masiva {id}.'],
  bulk_action_ended: ['The bulk action {id} has already ended', 'La acción masiva {id} ya terminó.'],
  unknown_delivery: ['There is no delivery or event {id}', 'No existe la entrega o evento {id}.'],
  no_receiver: ['No webhook is subscribed to {type} ({id})', 'Ningún webhook está suscrito a {type} ({id}).'],
  receiver_status: ['The webhook {id} is {status}', 'El estado del webhook {id} no lo permite: {status}.'],
  unknown_record: [
    'There is no subscription, transaction, delivery, event, customer or plan {id}',
    'No existe la suscripción, transacción, entrega, evento, cliente o plan {id}.',
  ],
  unknown_operator_key: ['There is no operator key {id}', 'No existe la llave de operador {id}.'],
  last_admin_key: [
    'This is the last administrator key: create another one first',
    'Es la última llave de administrador: crea otra primero.',
  ],
  unknown_merchant: ['There is no merchant {id}', 'No existe la tienda {id}.'],
} as const;
