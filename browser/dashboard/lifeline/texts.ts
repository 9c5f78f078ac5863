import { formatDay, formatMoney } from '../format';
import { pick } from '../language';
import type { Happening, Period } from './life';

const charges = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

export const t = pick({
  es: {
    title: 'Línea de vida',
    how: 'Pasa por encima de un signo, o recórrelos con las flechas, para leer qué pasó o qué se espera.',
    today: 'hoy',
    lanes: { period: 'Periodo', charge: 'Cobro', letter: 'Carta', other: 'Otro' },
    legend: {
      paid: 'pagado',
      declined: 'rechazado',
      unanswered: 'sin respuesta',
      planned: 'previsto',
      'would-decline': 'rechazado, si fuera así',
      letter: 'carta al cliente',
      note: 'cambio',
      end: 'fin',
      owed: 'abierto o sin pagar',
    },
    kinds: {
      trial: 'prueba',
      paid: 'pagado',
      open: 'sin pagar',
      planned: 'previsto',
      'would-owe': 'se debería',
    } as Record<Period['kind'], string>,
    planned: (period: number, amount: string) => `Se cobrará el periodo ${period}: ${amount}.`,
    wouldDecline: (period: number, amount: string) =>
      `Si se rechaza: intento de cobrar el periodo ${period}, ${amount}.`,
    ends: 'Termina con su periodo, sin otro cobro.',
    endsUnpaid: 'Termina, si antes ninguna tarjeta nueva la paga.',
    falling: 'Está pasando.',
    declineFrom: 'Rechazado desde aquí',
    undoDecline: 'Volver a como se espera',
    assumed: (day: string, count: number, after: string) =>
      `Si se rechaza desde el ${day}: ${charges(count, 'intento', 'intentos')}, después ${after}.`,
    after: { unpaid: 'queda impaga', cancelled: 'se cancela' },
    toCharge: 'Ver el cobro',
    everything: 'Mostrar desde el principio',
    asTable: 'Lo mismo como tabla',
    day: 'Día',
    what: 'Qué',
    state: 'Estado',
    period: 'Periodo',
    happened: 'pasó',
    expected: 'previsto',
    clock: 'Reloj de prueba',
    clockNow: (moment: string) => `Ahora marca ${moment}.`,
    clockHint: 'Arrastra el reloj por la línea, o escribe una fecha. Solo va hacia adelante.',
    until: 'Mover hasta',
    move: (day: string) => `Mover el reloj al ${day}`,
    chooseDay: 'Mover el reloj',
    passes: (count: number) =>
      `${count === 1 ? 'Pasará 1 cobro previsto' : `Pasarán ${count} cobros previstos`}. No se puede deshacer.`,
    back: 'Dejarlo donde está',
    moving: (day: string) => `Moviendo el reloj al ${day}…`,
    waiting: 'Espera:',
    moved: (day: string) => `El reloj llegó al ${day}.`,
    fell: 'Lo que salió de ahí',
    fellHint: 'Eventos, y los webhooks que los llevan, a medida que llegan.',
    noWebhooks: 'No hay webhooks: los eventos se pueden leer, pero no se envían a ninguna parte.',
    event: 'Evento',
    webhooks: 'Webhooks',
    nothingYet: 'Todavía nada.',
  },
  en: {
    title: 'Life line',
    how: 'Point at a sign, or walk along them with the arrow keys, to read what happened or what is expected.',
    today: 'today',
    lanes: { period: 'Period', charge: 'Charge', letter: 'Letter', other: 'Other' },
    legend: {
      paid: 'paid',
      declined: 'declined',
      unanswered: 'no answer',
      planned: 'planned',
      'would-decline': 'declined, if so',
      letter: 'letter to the customer',
      note: 'change',
      end: 'end',
      owed: 'open or owed',
    },
    kinds: { trial: 'trial', paid: 'paid', open: 'not paid', planned: 'planned', 'would-owe': 'would be owed' },
    planned: (period: number, amount: string) => `Period ${period} will be charged: ${amount}.`,
    wouldDecline: (period: number, amount: string) => `If declined: a try to charge period ${period}, ${amount}.`,
    ends: 'Ends with its period, without another charge.',
    endsUnpaid: 'Ends, unless a new card pays it before.',
    falling: 'It is happening.',
    declineFrom: 'Declined from here',
    undoDecline: 'Back to what is expected',
    assumed: (day: string, count: number, after: string) =>
      `If declined from ${day} on: ${charges(count, 'try', 'tries')}, then it ${after}.`,
    after: { unpaid: 'is left unpaid', cancelled: 'is cancelled' },
    toCharge: 'See the charge',
    everything: 'Show from the beginning',
    asTable: 'The same as a table',
    day: 'Day',
    what: 'What',
    state: 'State',
    period: 'Period',
    happened: 'happened',
    expected: 'planned',
    clock: 'Test clock',
    clockNow: (moment: string) => `It is ${moment} by it.`,
    clockHint: 'Drag the clock along the line, or type a date. It only goes forward.',
    until: 'Move until',
    move: (day: string) => `Move the clock to ${day}`,
    chooseDay: 'Move the clock',
    passes: (count: number) =>
      `${charges(count, 'planned charge', 'planned charges')} will pass. This cannot be undone.`,
    back: 'Leave it where it is',
    moving: (day: string) => `Moving the clock to ${day}…`,
    waiting: 'It waits for:',
    moved: (day: string) => `The clock has arrived at ${day}.`,
    fell: 'What fell out of it',
    fellHint: 'Events, and the webhooks that carry them, as they come.',
    noWebhooks: 'There are no webhooks: the events can be read, but are sent nowhere.',
    event: 'Event',
    webhooks: 'Webhooks',
    nothingYet: 'Nothing yet.',
  },
});

/** What is read out. */
export function sentenceOf({ entry, charge, sign, unlessPaid }: Happening): string {
  if (entry) return entry.description;
  if (!charge) return unlessPaid ? t.endsUnpaid : t.ends;
  const say = sign === 'would-decline' ? t.wouldDecline : t.planned;
  return say(charge.period, formatMoney(charge.amount));
}

export const labelOf = (happening: Happening): string => `${formatDay(happening.day)}. ${sentenceOf(happening)}`;
