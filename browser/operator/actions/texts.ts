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
  },
};

export const t = pick({ es, en });
