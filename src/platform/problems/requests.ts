/** Problems with a request as a whole: its form, rights and limits. */
export const REQUEST_PROBLEMS = {
  card_or_source_required: ['{field} or card is required', 'Elige una tarjeta guardada o escribe una nueva.'],
  card_and_source: ['{field} and card cannot be combined', 'Usa una tarjeta guardada o una nueva, no las dos.'],
  subscription_and_customer: [
    '{field} and subscription_id cannot be combined',
    'Usa customer_id o subscription_id, no los dos.',
  ],
  device_required: ['{field} is required with token_id', 'Es obligatorio con token_id.'],
  deleted_plan: ['{field} belongs to a deleted plan', 'El plan fue borrado.'],
  not_reported: ['{field} is missing or has an invalid format', 'Falta o no tiene el formato acordado.'],
  part_above_parts: ['{field} is greater than parts', 'Es mayor que el total de partes.'],
  report_not_object: ['{place} must be an object', '{place} debe ser un objeto.'],
  terms_unchangeable: ['{names} cannot be changed', 'No se puede cambiar: {names}.'],
  records_too_large: [
    'The records exceed {megabytes} MB in total: request at most {max}',
    'Los registros pesan más de {megabytes} MB en total: pide máximo {max}.',
  ],
  lists_too_large: [
    'The records in this list and the lists next to it exceed {megabytes} MB in total: request fewer',
    'Los registros de esta lista y las de al lado pesan más de {megabytes} MB en total: pide menos.',
  ],
  unknown_filter: [
    'Unknown filter {names}. Supported filters: {known}',
    'Filtro desconocido: {names}. Filtros disponibles: {known}.',
  ],
  body_not_object: ['The body must be a JSON object', 'El cuerpo debe ser un objeto JSON.'],
  body_not_utf8: ['The body must be UTF-8', 'El cuerpo debe estar en UTF-8.'],
  body_not_json: ['The body must be valid JSON', 'El cuerpo no es JSON válido.'],
  body_number_too_large: [
    'The body contains a number that is too large',
    'El cuerpo contiene un número demasiado grande.',
  ],
  body_duplicate_member: ['The body contains a duplicate member', 'El cuerpo contiene un miembro repetido.'],
  body_too_deep: ['The body is nested too deeply', 'El cuerpo tiene demasiados niveles.'],
  body_wrong_length: [
    'The length of the body does not match Content-Length',
    'El cuerpo no tiene el largo que indica Content-Length.',
  ],
  path_encoding: ['The path is not encoded correctly', 'La ruta no está bien codificada.'],
  headers_too_long: [
    'The request line and headers are too long',
    'La línea de solicitud y los encabezados son demasiado largos.',
  ],
  request_timeout: ['The request timed out before it was complete: send it again', 'La solicitud no llegó a tiempo.'],
  host_missing: ['The Host header is missing', 'Falta el encabezado Host.'],
  not_http: ['The request is not HTTP', 'La solicitud no es HTTP.'],
  unknown_notification: ['Unknown notification', 'Notificación desconocida.'],
  unsigned_notification: [
    'The signature of the notification is missing or invalid',
    'La notificación no está firmada.',
  ],
  idempotency_key_once: [
    'Idempotency-Key must be sent once and must not be empty',
    'Idempotency-Key debe ir una sola vez y no puede estar vacío.',
  ],
  idempotency_key_too_long: [
    'Idempotency-Key must have at most 255 characters',
    'Idempotency-Key puede tener máximo 255 caracteres.',
  ],
  idempotency_key_reused: [
    'This Idempotency-Key was already used with a different body',
    'Este Idempotency-Key ya se usó con otro cuerpo.',
  ],
  idempotency_key_busy: [
    'The first request with this Idempotency-Key is still in progress: retry in a few seconds',
    'La primera solicitud con este Idempotency-Key sigue en curso.',
  ],
  idempotency_key_mutations: [
    'An Idempotency-Key requires a document with exactly one mutation field',
    'Con Idempotency-Key el documento debe tener exactamente una mutación.',
  ],
  answer_too_large: [
    'The response exceeds {megabytes} MB: request fewer records or fields',
    'La respuesta pesa más de {megabytes} MB: pide menos registros o campos.',
  ],
  mutation_answer_too_large: [
    'The mutation succeeded, but its response exceeds {megabytes} MB: request fewer records or fields',
    'El cambio se hizo, pero la respuesta pesa más de {megabytes} MB: pide menos registros o campos.',
  ],
  document_cost: [
    'The document requests {requested} fields, more than the maximum of {max}',
    'El documento pide {requested} campos, más del máximo de {max}.',
  ],
  document_counts: [
    'The document has {count} {kind}, more than the maximum of {max}',
    'El documento tiene demasiados elementos ({kind}): {count}, y el máximo es {max}.',
  ],
  document_introspections: [
    'The document contains {count} introspections, more than the maximum of 1',
    'El documento tiene {count} introspecciones, y el máximo es 1.',
  ],
  introspection_aliases: [
    'A document with introspection cannot contain aliases',
    'Un documento con introspección no puede tener alias.',
  ],
  document_levels: [
    'The document has {levels} levels, more than the maximum of {max}',
    'El documento tiene {levels} niveles, más del máximo de {max}.',
  ],
  document_invalid: ['{message}', 'El documento de GraphQL no es válido: {message}'],
  document_unknown_value: [
    '{message} It must be one of {values}.',
    'El documento de GraphQL no es válido: {message} Valores posibles: {values}.',
  ],
  no_operation: ['The document contains no operation', 'El documento no tiene ninguna operación.'],
  not_subscription: ['The operation is not a subscription', 'La operación no es una suscripción.'],
  subscription_elsewhere: [
    'Subscriptions are served at /graphql/stream',
    'Las suscripciones se atienden en /graphql/stream.',
  ],
  foreign_page: [
    'This session is only allowed from pages of its own origins',
    'Esta sesión solo sirve en páginas de sus propios orígenes.',
  ],
  unknown_origin: [
    'No session is allowed from pages of this origin',
    'Ninguna sesión sirve en páginas de este origen.',
  ],
  read_only_key: ['This key is read-only', 'Esta llave solo permite consultar.'],
  session_scope: [
    'The scope of this session does not include this operation',
    'Esta sesión no permite esta operación.',
  ],
  not_permitted: [
    'This session is read-only and does not permit this operation',
    'Esta sesión es solo de consulta y no permite esta operación.',
  ],
  session_ended: [
    'The session has ended: sign in again, or create a new session',
    'La sesión terminó. Inicia sesión otra vez.',
  ],
  session_needed: ['This call requires a session', 'Esta operación requiere una sesión.'],
  own_page_needed: [
    'Only pages of this service can sign in',
    'Solo las páginas de este servicio pueden iniciar sesión.',
  ],
  merchant_key_needed: ['This call requires a key of a merchant', 'Esta operación requiere la llave de una tienda.'],
  operator_key_needed: [
    'This call requires the key of an operator',
    'Esta operación requiere la llave de un operador.',
  ],
  operator_role_needed: [
    'This call requires an operator with the role {role}',
    'Esta operación requiere un operador con el rol {role}.',
  ],
  operator_page: ['This page requires the key of an operator', 'Esta página requiere la llave de un operador.'],
  one_customer_session: ['This session is limited to one customer', 'Esta sesión es solo para un cliente.'],
  too_many_wrong_keys: ['Too many requests with a wrong key', 'Demasiadas solicitudes con una llave equivocada.'],
  too_many_key_requests: ['Too many requests with this key: retry later', 'Demasiadas solicitudes con esta llave.'],
  too_many_reads: ['Too many read requests from this merchant', 'Demasiadas consultas de esta tienda.'],
  too_many_writes: ['Too many write requests from this merchant', 'Demasiados cambios de esta tienda.'],
  too_many_cards: [
    'Too many requests with a card from this merchant',
    'Demasiadas solicitudes con tarjeta de esta tienda.',
  ],
  too_many_in_flight: [
    'More than {max} requests with this key are in progress: wait for responses before sending more',
    'Hay más de {max} solicitudes en curso con esta llave.',
  ],
  too_many_streams: [
    'More than {max} live streams are open: close one first',
    'Hay más de {max} conexiones en vivo abiertas.',
  ],
  too_many_bodies: [
    'More than {max} request bodies from this address are incomplete: finish sending them first',
    'Hay más de {max} solicitudes sin terminar de enviar desde esta dirección.',
  ],
  too_many_declines: ['Too many cards were declined', 'Se rechazaron demasiadas tarjetas.'],
  too_many_declines_here: ['Too many cards were declined ({scope})', 'Se rechazaron demasiadas tarjetas ({scope}).'],
  fraud_rule_limit: [
    'The limit of a fraud rule is reached: retry later',
    'Se alcanzó el límite de una regla antifraude: intenta más tarde.',
  ],
  hourly_logos: ['At most {max} new logos per hour are allowed', 'Puedes subir máximo {max} logos por hora.'],
  hourly_redeliveries: [
    'At most {max} redeliveries per hour are allowed',
    'Puedes reenviar máximo {max} eventos por hora.',
  ],
  hourly_payer_emails: [
    'At most {max} e-mails to payers per hour are allowed',
    'Puedes enviar máximo {max} correos a pagadores por hora.',
  ],
  hourly_recipient_emails: [
    'At most {max} e-mails to one payer per hour are allowed',
    'Puedes enviar máximo {max} correos por hora a un mismo pagador.',
  ],
  hourly_devices: [
    'At most {max} devices per hour are allowed from one IP address',
    'Se permiten máximo {max} dispositivos por hora desde una dirección IP.',
  ],
  hourly_dry_runs: [
    'At most {max} dry runs of fraud rules per hour are allowed',
    'Puedes probar reglas antifraude máximo {max} veces por hora.',
  ],
  hourly_link_uses: [
    'At most {max} payers per hour can begin to use the link',
    'Máximo {max} pagadores por hora pueden empezar a usar el enlace.',
  ],
} as const;
