/**
 * What the API refuses is said in English. In Spanish the reasons that people meet on these screens are said as whole
 * sentences; what is not known here stays as it was said.
 */
import { language } from '../language';

/** By the name of the error. */
const kinds: Record<string, string> = {
  internal: 'Algo falló en el servidor. Intenta otra vez.',
  unavailable: 'Un servicio que hace falta no responde. Intenta otra vez: no se hará dos veces.',
  not_found: 'Ya no existe, o no es de esta tienda.',
  order_id_exists: 'Ya hay una transacción con este número de pedido.',
  external_id_exists: 'Ya hay un cliente con este identificador.',
  card_exists: 'El cliente ya tiene esta tarjeta.',
  suspended: 'La tienda está suspendida: se puede mirar, pero nada que mueva dinero.',
  private_key_needed: 'Esta sesión no lo permite.',
  too_many: 'Fueron demasiadas solicitudes. Espera un momento e intenta otra vez.',
  expiration_in_past: 'La tarjeta ya venció.',
  transfer_refused: 'La transferencia de fondos no fue aceptada.',
  declined: 'La tarjeta fue rechazada.',
  card_expired: 'La tarjeta está vencida.',
  insufficient_funds: 'La tarjeta no tiene fondos suficientes.',
  card_stolen: 'La tarjeta fue reportada como robada.',
  card_lost: 'La tarjeta fue reportada como perdida.',
  card_restricted: 'El banco restringió la tarjeta.',
  card_retained: 'El banco pide retener la tarjeta.',
  fraud: 'El sistema antifraude rechazó la tarjeta.',
  not_online: 'La tarjeta no sirve para pagos en línea.',
  bank_authorization: 'El banco tiene que autorizar el pago.',
  insufficient_balance: 'La cuenta no tiene saldo suficiente.',
};

/** By the end of the sentence: what stands before it names the field, which is seen. */
const endings: Record<string, string> = {
  'is more than is left of the charge': 'Es más de lo que queda del cobro.',
  'is more than is left of the fee': 'Es más de lo que queda de la comisión.',
  'is more than was reserved': 'Es más de lo que se reservó.',
  'has three decimals or more: thousands are not separated, and 100.000 would be a hundred':
    'Los miles van sin separar: 100000, y no 100.000.',
  'has more than two decimals or is too large': 'Tiene más de dos decimales, o es demasiado grande.',
  'is not a day as yyyy-mm-dd': 'No es un día, como 2026-11-15.',
  'is a day that does not exist': 'Es un día que no existe.',
  'is not an amount': 'No es un valor: van solo dígitos, y un punto antes de los centavos.',
  'is required': 'Hace falta.',
  'is empty': 'Está vacío.',
  'is not an e-mail address': 'No es una dirección de correo.',
  'must be greater than zero': 'Tiene que ser mayor que cero.',
  'holds a card number': 'Contiene un número de tarjeta, que no va aquí.',
  'Only a completed card charge can be refunded': 'Solo se reembolsan cobros con tarjeta aprobados.',
  'The charge is not one that waits to be captured': 'El cobro no espera ser capturado.',
  'A charge that is only reserved is cancelled as a whole': 'Una reserva se libera entera.',
  'The customer still has a balance': 'El cliente todavía tiene saldo.',
  'The customer has a charge that is not finished yet, or a balance':
    'El cliente tiene un cobro sin terminar, o saldo.',
  'The customer has been deleted': 'El cliente fue borrado.',
  'The card is charged by a subscription that has not ended': 'A la tarjeta se le cobra una suscripción vigente.',
  'The fee was given back already': 'La comisión ya se devolvió.',
};

export function sayRefusal(message: string, kind?: string): string {
  if (language === 'en') return message;
  const ending = Object.keys(endings).find(known => message.endsWith(known));
  return (ending && endings[ending]) ?? kinds[kind ?? ''] ?? message;
}
