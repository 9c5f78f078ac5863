import { pick } from '../../shared/language';
import type { ActionName } from './operations';

interface ActionTexts {
  button: string;
  title: string;
  done: string;
}

const es = {
  steps: 'Qué va a pasar',
  reason: 'Motivo',
  audited: 'Queda en el registro de auditoría.',
  shown: 'El comercio lo ve.',
  back: 'Volver',
  until: 'Hasta',
  untilReleased: 'que un operador los reanude',
  hours: (count: number) => (count === 1 ? '1 hora' : `${count} horas`),
  week: '7 días',
  over: 'Repartir los cobros atrasados',
  byNumber: 'según su número',
  atOnce: 'cobrar todos de inmediato',
  minutes: (count: number) => `en ${count} minutos`,
  rate: 'Porcentaje del valor',
  fixed: 'Valor fijo',
  reserve: 'Reserva',
  amount: 'Valor',
  description: 'Descripción',
  names: {
    hold: {
      button: 'Detener cobros',
      title: 'Detener los cobros automáticos',
      done: 'Los cobros automáticos están detenidos',
    },
    release: {
      button: 'Reanudar cobros',
      title: 'Reanudar los cobros automáticos',
      done: 'Los cobros automáticos se reanudaron',
    },
    suspend: { button: 'Suspender', title: 'Suspender el comercio', done: 'El comercio está suspendido' },
    resume: { button: 'Levantar la suspensión', title: 'Levantar la suspensión', done: 'El comercio está activo' },
    ask_acquirer: {
      button: 'Consultar al adquirente',
      title: 'Consultar al adquirente ahora',
      done: 'Se pidió la consulta al adquirente',
    },
    resend: { button: 'Enviar de nuevo', title: 'Enviar el evento de nuevo', done: 'El evento se enviará de nuevo' },
    rebuild: {
      button: 'Reiniciar el workflow',
      title: 'Reiniciar el workflow desde la fila',
      done: 'El workflow se está reiniciando',
    },
    drain: { button: 'Drenar', title: 'Drenar workers', done: 'Los workers terminan su trabajo y salen' },
    costs: { button: 'Cambiar el costo', title: 'Cambiar el costo por cobro', done: 'El costo cambió' },
    reserve: { button: 'Cambiar la reserva', title: 'Cambiar la reserva', done: 'La reserva cambió' },
    pay: { button: 'Desembolsar', title: 'Desembolsar al comercio', done: 'El desembolso está en curso' },
  } satisfies Record<ActionName, ActionTexts> as Record<ActionName, ActionTexts>,
};

const en: typeof es = {
  steps: 'Steps',
  reason: 'Reason',
  audited: 'It is kept in the audit log.',
  shown: 'The merchant sees it.',
  back: 'Back',
  until: 'Until',
  untilReleased: 'an operator releases it',
  hours: count => (count === 1 ? '1 hour' : `${count} hours`),
  week: '7 days',
  over: 'Spread overdue charges',
  byNumber: 'according to their number',
  atOnce: 'charge all at once',
  minutes: count => `over ${count} minutes`,
  rate: 'Percentage of the amount',
  fixed: 'Fixed amount',
  reserve: 'Reserve',
  amount: 'Amount',
  description: 'Description',
  names: {
    hold: { button: 'Hold billing', title: 'Hold billing', done: 'Billing is on hold' },
    release: { button: 'Release billing', title: 'Release the billing hold', done: 'Billing was released' },
    suspend: { button: 'Suspend', title: 'Suspend the merchant', done: 'The merchant is suspended' },
    resume: { button: 'Resume', title: 'Lift the suspension', done: 'The merchant is active' },
    ask_acquirer: {
      button: 'Ask the acquirer',
      title: 'Ask the acquirer now',
      done: 'The acquirer is being asked',
    },
    resend: { button: 'Resend', title: 'Resend the event', done: 'The event will be sent again' },
    rebuild: {
      button: 'Rebuild the workflow',
      title: 'Restart the workflow from the row',
      done: 'The workflow is restarting',
    },
    drain: { button: 'Drain', title: 'Drain workers', done: 'Workers finish their work and exit' },
    costs: { button: 'Change the fee', title: 'Change the fee per charge', done: 'The fee was changed' },
    reserve: { button: 'Change the reserve', title: 'Change the reserve', done: 'The reserve was changed' },
    pay: { button: 'Pay out', title: 'Pay out to the merchant', done: 'The payout is in progress' },
  },
};

export const t = pick({ es, en });
