import type { PayerEmailName } from '../../../accounts/merchants/fields';
import { type ErrorKind, errorKindOf } from '../../../platform/errors';
import type { CancelReason } from '../rules/cancelReasons';
import { amountOf, methodName, planOf } from './english';
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

const cancelReasons: Record<CancelReason, string> = {
  too_expensive: 'es muy costosa',
  not_used: 'casi no la usa',
  not_as_expected: 'no es lo que esperaba',
  switched: 'usa otro servicio',
  other: 'otro motivo',
};

const emails: Partial<Record<PayerEmailName, string>> = {
  last_retry: 'del último intento de cobro',
  trial_ending: 'que su prueba termina pronto',
  card_expiring: 'que su tarjeta vence antes del próximo cobro',
  paused: 'de la pausa',
  resumed: 'que la suscripción ya no está en pausa',
  plan_changed: 'del cambio de la suscripción',
  cancelled: 'de la cancelación',
};

export const spanish: Words = {
  lines: {
    created: () => 'Se creó la suscripción.',
    charged: ({ period, details }) =>
      details?.method
        ? `El cliente pagó el período ${period} (${methodName(details).es}).`
        : `Se cobró el período ${period}.`,
    declined: ({ period, error_code }) =>
      `Se rechazó el cobro del período ${period}: ${reasonOf(error_code ?? 0)} (${error_code}).`,
    unanswered: ({ period }) => `El adquirente no respondió al cobro del período ${period}. Se consultará de nuevo.`,
    retry_skipped: ({ period }) =>
      `No se reintentó el cobro del período ${period}, porque el banco no acepta más cobros a esta tarjeta.`,
    not_made: ({ period }) => `No se hizo el cobro del período ${period}.`,
    unpaid: () => 'No quedan intentos: la suscripción está impaga.',
    card_changed: () => 'La suscripción tiene otra tarjeta.',
    retry_requested: () => 'El comercio pidió reintentar el cobro.',
    retry_requested_by_operator: () => 'Un operador pidió reintentar el cobro.',
    cancel_scheduled: ({ details }) =>
      details?.reason
        ? `El cliente programó la cancelación al final del período: ${cancelReasons[details.reason]}.`
        : 'Se programó la cancelación al final del período.',
    cancel_unscheduled: () => 'Se anuló la cancelación programada.',
    trial_changed: ({ day }) => `La prueba ahora termina el ${day}.`,
    pause_requested: ({ day }) => `Se pidió una pausa después del período actual${day ? `, hasta el ${day}` : ''}.`,
    pause_withdrawn: () => 'Se retiró la pausa antes de que empezara.',
    resumed: () => 'La suscripción se reanudó: empieza un período nuevo.',
    covered: ({ period }) => `El período ${period} no costó nada, por descuentos, cortesías o saldo a favor.`,
    change_planned: ({ details }) => `Se programó el cambio a ${planOf(details)} para el próximo período.`,
    planned_change_removed: () => 'Se retiró el cambio programado.',
    plan_changed: ({ details }) => `La suscripción cambió a ${planOf(details)}.`,
    change_declined: ({ error_code }) =>
      `Se rechazó el cobro de un cambio: ${reasonOf(error_code ?? 0)} (${error_code}). No cambió nada.`,
    change_not_made: () => 'El adquirente no respondió a tiempo al cobro de un cambio. No cambió nada.',
    coupon_added: ({ details }) => `Se agregó el cupón ${details?.code}.`,
    coupon_removed: () => 'Se quitó el cupón.',
    extra_added: ({ details }) => `Se agregó ${amountOf(details)} al próximo período: ${details?.description}.`,
    extra_removed: ({ details }) => `Se quitó ${amountOf(details)} del próximo período: ${details?.description}.`,
    credit_returned: ({ details }) => `El comercio devolvió al cliente su saldo a favor de ${amountOf(details)}.`,
    payment_requested: ({ period, day, details }) =>
      `El cliente empezó a pagar el período ${period} (${methodName(details).es}). Los reintentos esperan a más tardar hasta el ${day}.`,
    payment_ended: ({ period, details }) =>
      `El cliente no hizo el pago del período ${period} (${methodName(details).es}).`,
    payment_credited: ({ details }) =>
      `Llegó un pago de ${amountOf(details)} cuando no se debía nada. Quedó como saldo a favor de la suscripción.`,
    iva_changed: ({ details }) =>
      details?.iva ? `El IVA cambió a ${details.iva}.` : 'El IVA vuelve a ser el del plan.',
    cancelled_by_merchant: () => 'El comercio canceló la suscripción.',
    cancelled_by_operator: () => 'Un operador canceló la suscripción.',
    customer_deleted: () => 'La suscripción terminó porque se eliminó su cliente.',
    period_ended: () => 'La suscripción terminó al final del período.',
    retries_exhausted: () => 'No quedan intentos: la suscripción terminó.',
    left_unpaid: () => 'La suscripción terminó porque no se pagó a tiempo.',
    past_due_email: ({ period }) => `Se avisó al cliente por correo que se rechazó el cobro del período ${period}.`,
    recovered_email: ({ period }) => `Se avisó al cliente por correo que el período ${period} ya está pagado.`,
    unpaid_email: ({ period }) => `Se avisó al cliente por correo que el período ${period} está sin pagar.`,
    ended_email: () => 'Se avisó al cliente por correo que la suscripción terminó sin pagarse.',
    email_refused: () => 'El servidor de correo no aceptó un mensaje al cliente.',
    email_sent: ({ details }) =>
      `Se avisó al cliente por correo ${emails[details?.kind ?? 'receipt'] ?? 'de su pago'}.`,
  },
  changes: (to, on) => `El ${on} cambia a ${to}.`,
  hasCredit: amount => `Tiene ${amount} de saldo a favor.`,
  coversOn: (day, period) => `El ${day} empieza el período ${period}, que no cuesta nada.`,
  endsWithPeriod: 'Termina al final del período.',
  paused: (since, resumes) => `Su pausa empieza el ${since}${resumes ? ` y termina el ${resumes}` : ''}.`,
  inTrial: until => `En prueba hasta el ${until}.`,
  active: (period, until) => `Activa, el período ${period} está pagado hasta el ${until}.`,
  pastDue: (period, left, after) =>
    `En mora: se rechazó el período ${period}; ${left === 1 ? 'queda' : 'quedan'} ${intentos(left)} antes de que ${
      after === 'cancelled' ? 'se cancele' : 'quede impaga'
    }.`,
  unpaid: period => `Impaga: no se pagó el período ${period} y no quedan intentos.`,
  cancelled: reason => `Cancelada: ${reason}`,
  nothingNext: 'Ninguna: la suscripción terminó.',
  suspended: 'El comercio está suspendido: los cobros y las cancelaciones están en pausa hasta que se reactive.',
  held: 'Los cobros automáticos están en pausa. Cada período pendiente se cobrará una sola vez.',
  asksAcquirer: period => `Antes de otro cobro se consulta con el adquirente el resultado del período ${period}.`,
  waitsForPayment: (period, until) =>
    `El cliente puede pagar el período ${period} hasta el ${until}. Los reintentos esperan hasta entonces.`,
  endsOn: day => `Termina el ${day} sin más cobros.`,
  cancelsOn: (day, period) => `Se cancela el ${day}, a menos que antes una tarjeta nueva pague el período ${period}.`,
  chargesAtOnce: period => `El período ${period} se cobra de inmediato.`,
  chargesOn: (day, period) => `El ${day} se cobra el período ${period}.`,
  waitsForResumption: 'No se cobra nada hasta que se reanude la suscripción.',
  waitsForNewCard: 'El banco no acepta más cobros a esta tarjeta: hace falta otra.',
  skipsOn: (day, period, left, after) =>
    `El ${day} no se reintenta el cobro del período ${period}; ${left === 1 ? 'queda' : 'quedan'} ${intentos(left)}, después ${
      after === 'cancelled' ? 'se cancela' : 'queda impaga'
    }. Una tarjeta nueva se intenta de inmediato.`,
  retriesOn: (day, period, left, after) =>
    `El ${day} se reintenta el cobro del período ${period}; ${left === 1 ? 'queda' : 'quedan'} ${intentos(left)}, después ${
      after === 'cancelled' ? 'se cancela' : 'queda impaga'
    }. Una tarjeta nueva se intenta de inmediato.`,
};
