/** Problems with payment links. */
export const LINK_PROBLEMS = {
  not_for_link_kind: [
    '{field} is not allowed for payment links of the kind {kind}',
    'No se permite en este tipo de enlace.',
  ],
  cards_only_link: [
    '{field} must be card for payment links of the kind {kind}',
    'Este tipo de enlace solo admite tarjeta.',
  ],
  not_with_amount: ['{field} is not allowed with amount', 'No se permite si el enlace tiene un valor fijo.'],
  not_iva_rate: ['{field} must be a rate such as "19%"', 'Debe ser una tarifa, como "19%".'],
  only_for_reusable_link: ['{field} requires reusable', 'Solo se permite en enlaces reutilizables.'],
  not_for_several_payers: [
    '{field} is not allowed for payment links that several payers can open to enter their own details',
    'No se permite en enlaces que pueden usar varios pagadores.',
  ],
  link_status: ['The payment link is {status}', 'El enlace ya no está activo.'],
  link_completed: ['The payment link has already been used', 'El enlace ya se usó.'],
  link_in_use: [
    'The payment link is in use. Try again in a moment',
    'Alguien está usando el enlace: el resultado se sabrá en un momento.',
  ],
} as const;
