import { type ErrorKind, errorKindOf } from '../../../platform/errors';
import type { Words } from './words';

const intentos = (count: number): string => (count === 1 ? '1 intento' : `${count} intentos`);

const reasons: Partial<Record<ErrorKind, string>> = {
  transfer_refused: 'no se aceptó la transferencia',
  unavailable: 'el banco no respondió',
  declined: 'el banco rechazó la tarjeta',
  card_expired: 'la tarjeta está vencida',
  insufficient_funds: 'la tarjeta no tiene fondos suficientes',
  card_stolen: 'la tarjeta fue reportada como robada',
  fraud: 'el control de fraude rechazó la tarjeta',
  not_allowed: 'la operación no está permitida',
  not_online: 'la tarjeta no permite compras por internet',
  card_lost: 'la tarjeta fue reportada como perdida',
  card_restricted: 'el banco restringió la tarjeta',
  card_retained: 'el banco pide retener la tarjeta',
  bank_authorization: 'el banco pide autorizar el pago',
};
const reasonOf = (code: number): string => reasons[errorKindOf(code)] ?? 'no se aceptó el cobro';

export const spanish: Words = {
  lines: {
    created: () => 'Se creó la suscripción.',
    charged: ({ period }) => `Se cobró el periodo ${period}.`,
    declined: ({ period, error_code }) =>
      `Se rechazó el cobro del periodo ${period}: ${reasonOf(error_code ?? 0)} (${error_code}).`,
    unanswered: ({ period }) => `El adquirente no respondió al cobro del periodo ${period}; se le vuelve a preguntar.`,
    not_made: ({ period }) => `El cobro del periodo ${period} no se hizo.`,
    unpaid: () => 'No quedan intentos: la suscripción está impaga.',
    card_changed: () => 'La suscripción tiene otra tarjeta.',
    retry_requested: () => 'El comercio pidió intentarlo de inmediato.',
    retry_requested_by_operator: () => 'Un operador pidió intentarlo de inmediato.',
    cancel_scheduled: () => 'Se pidió que termine con su periodo.',
    cancel_unscheduled: () => 'Se pidió que siga después de su periodo.',
    trial_changed: ({ day }) => `La prueba termina ahora el ${day}.`,
    cancelled_by_merchant: () => 'El comercio canceló la suscripción.',
    cancelled_by_operator: () => 'Un operador canceló la suscripción.',
    customer_deleted: () => 'La suscripción terminó porque se eliminó su cliente.',
    period_ended: () => 'La suscripción terminó con su periodo.',
    retries_exhausted: () => 'No quedan intentos: la suscripción terminó.',
    left_unpaid: () => 'La suscripción terminó porque no se pagó a tiempo.',
    past_due_email: ({ period }) => `Se avisó al cliente por correo que se rechazó el cobro del periodo ${period}.`,
    recovered_email: ({ period }) => `Se avisó al cliente por correo que el periodo ${period} ya está pagado.`,
    unpaid_email: ({ period }) => `Se avisó al cliente por correo que el periodo ${period} está sin pagar.`,
    ended_email: () => 'Se avisó al cliente por correo que la suscripción terminó sin pagarse.',
    email_refused: () => 'El servidor de correo no aceptó un mensaje al cliente.',
  },
  endsWithPeriod: 'Termina con su periodo.',
  inTrial: until => `En prueba hasta el ${until}.`,
  active: (period, until) => `Activa, el periodo ${period} está pagado hasta el ${until}.`,
  pastDue: (period, left, after) =>
    `En mora: se rechazó el periodo ${period}; ${left === 1 ? 'queda' : 'quedan'} ${intentos(left)} antes de que ${
      after === 'cancelled' ? 'se cancele' : 'quede impaga'
    }.`,
  unpaid: period => `Impaga: no se pagó el periodo ${period} y no quedan intentos.`,
  cancelled: reason => `Cancelada: ${reason}`,
  nothingNext: 'Nada: ya terminó.',
  suspended: 'El comercio está suspendido: hasta que se reactive no se cobra ni se cancela nada.',
  held: 'Lo que vence espera: los cobros automáticos siguen más tarde, cada uno una vez.',
  asksAcquirer: period =>
    `Se pregunta al adquirente qué pasó con el cobro del periodo ${period} antes de cobrar cualquier otra cosa.`,
  endsOn: day => `El ${day} termina sin otro cobro.`,
  cancelsOn: (day, period) => `El ${day} se cancela, si antes ninguna tarjeta nueva paga el periodo ${period}.`,
  chargesAtOnce: period => `El periodo ${period} se intenta de inmediato.`,
  chargesOn: (day, period) => `El ${day} se cobra el periodo ${period}.`,
  retriesOn: (day, period, left, after) =>
    `El ${day} se intenta otra vez el periodo ${period}; ${left === 1 ? 'queda' : 'quedan'} ${intentos(left)}, después ${
      after === 'cancelled' ? 'se cancela' : 'queda impaga'
    }. Una tarjeta nueva se intenta de inmediato.`,
};
