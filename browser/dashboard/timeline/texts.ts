import { formatDay, formatMoney, toCentavos } from '../../shared/format';
import { withWords } from '../../shared/words';
import type { Adjustment, Amounts } from './adjustments';
import type { Period, TimelineItem } from './timelineData';

const charges = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

export const t = withWords({
  es: {
    title: 'Línea de tiempo',
    how: 'Pasa el cursor sobre un punto o usa las flechas del teclado para ver cada evento.',
    today: 'hoy',
    lanes: { period: 'Período', charge: 'Cobro', email: 'Correo', other: 'Otro' },
    legend: {
      paid: 'pagado',
      declined: 'rechazado',
      unanswered: 'sin respuesta',
      planned: 'previsto',
      'would-decline': 'rechazado (simulado)',
      email: 'correo al cliente',
      covered: 'sin cobro',
      plan: 'cambio de plan',
      coupon: 'cupón',
      extra: 'extra',
      note: 'cambio',
      end: 'fin',
      owed: 'sin pagar',
    },
    kinds: {
      trial: 'período de prueba',
      paid: 'pagado',
      open: 'sin pagar',
      planned: 'previsto',
      'would-owe': 'sin pagar (simulado)',
      paused: 'en pausa',
    } as Record<Period['kind'], string>,
    planned: (period: number, amount: string, parts: string) => `Se cobrará el período ${period}${parts}: ${amount}.`,
    covered: (period: number, parts: string) => `El período ${period} no cuesta nada${parts}.`,
    parts: { discount: 'descuento', extras: 'extras', credit: 'saldo a favor' },
    changes: (to: string) => `Cambia a ${to}.`,
    discounted: (period: number, amount: string) => `Descuento de ${amount} desde el período ${period}.`,
    discountOver: (period: number) => `El período ${period} ya no tiene descuento.`,
    extras: (period: number, extras: string) => `Extras del período ${period}: ${extras}.`,
    wouldDecline: (period: number, amount: string) =>
      `Si se rechaza: reintento del cobro del período ${period}, ${amount}.`,
    ends: 'La suscripción termina al final del período, sin más cobros.',
    endsUnpaid: 'La suscripción termina, salvo que antes se pague con otra tarjeta.',
    inProgress: 'En curso.',
    declineFrom: 'Simular rechazos desde aquí',
    undoDecline: 'Quitar la simulación',
    simulated: (day: string, count: number, after: string) =>
      `Si se rechaza desde el ${day}: ${charges(count, 'intento', 'intentos')} y luego la suscripción ${after}.`,
    after: { unpaid: 'queda impaga', cancelled: 'se cancela' },
    toCharge: 'Ver el cobro',
    everything: 'Mostrar desde el inicio',
    asTable: 'Ver como tabla',
    day: 'Día',
    what: 'Evento',
    happened: 'ocurrió',
    expected: 'previsto',
    clock: 'Reloj de prueba',
    clockNow: (moment: string) => `Hora del reloj: ${moment}.`,
    clockHint: 'Arrastra el reloj por la línea o escribe una fecha. El reloj solo avanza.',
    until: 'Mover hasta',
    move: (day: string) => `Mover el reloj al ${day}`,
    chooseDay: 'Mover el reloj',
    passes: (count: number) =>
      `${count === 1 ? 'Se hará 1 cobro previsto' : `Se harán ${count} cobros previstos`}. Esta acción no se puede deshacer.`,
    back: 'Ahora no',
    moving: (day: string) => `Moviendo el reloj al ${day}…`,
    waiting: 'En espera:',
    moved: (day: string) => `El reloj llegó al ${day}.`,
    generatedEvents: 'Eventos generados',
    generatedEventsHint: 'Eventos generados por el reloj y su entrega a los webhooks.',
    noWebhooks: 'No hay webhooks: estos eventos no se envían a ningún servidor.',
    webhooks: 'Webhooks',
    nothingYet: 'Aún no hay eventos.',
  },
  en: {
    title: 'Timeline',
    how: 'Hover over a point or use the arrow keys to see each event.',
    today: 'today',
    lanes: { period: 'Period', charge: 'Charge', email: 'E-mail', other: 'Other' },
    legend: {
      paid: 'paid',
      declined: 'declined',
      unanswered: 'no response',
      planned: 'planned',
      'would-decline': 'declined (simulated)',
      email: 'e-mail to the customer',
      covered: 'no charge',
      plan: 'plan change',
      coupon: 'coupon',
      extra: 'extra',
      note: 'change',
      end: 'end',
      owed: 'unpaid',
    },
    kinds: {
      trial: 'trial',
      paid: 'paid',
      open: 'unpaid',
      planned: 'planned',
      'would-owe': 'unpaid (simulated)',
      paused: 'paused',
    },
    planned: (period: number, amount: string, parts: string) => `Period ${period} will be charged${parts}: ${amount}.`,
    covered: (period: number, parts: string) => `Period ${period} costs nothing${parts}.`,
    parts: { discount: 'discount', extras: 'extras', credit: 'credit' },
    changes: (to: string) => `It changes to ${to}.`,
    discounted: (period: number, amount: string) => `Discount of ${amount} from period ${period}.`,
    discountOver: (period: number) => `Period ${period} has no discount any more.`,
    extras: (period: number, extras: string) => `Extras of period ${period}: ${extras}.`,
    wouldDecline: (period: number, amount: string) =>
      `If declined: retry of the charge for period ${period}, ${amount}.`,
    ends: 'The subscription ends at the end of the period, without further charges.',
    endsUnpaid: 'The subscription ends unless it is paid with another card before then.',
    inProgress: 'In progress.',
    declineFrom: 'Simulate declines from here',
    undoDecline: 'Remove the simulation',
    simulated: (day: string, count: number, after: string) =>
      `If declined from ${day}: ${charges(count, 'attempt', 'attempts')}, then the subscription ${after}.`,
    after: { unpaid: 'remains unpaid', cancelled: 'is cancelled' },
    toCharge: 'View the charge',
    everything: 'Show from the start',
    asTable: 'View as a table',
    day: 'Day',
    what: 'Event',
    happened: 'occurred',
    expected: 'planned',
    clock: 'Test clock',
    clockNow: (moment: string) => `Clock time: ${moment}.`,
    clockHint: 'Drag the clock along the line or enter a date. The clock only moves forward.',
    until: 'Move to',
    move: (day: string) => `Move the clock to ${day}`,
    chooseDay: 'Move the clock',
    passes: (count: number) =>
      `${charges(count, 'planned charge', 'planned charges')} will be made. This cannot be undone.`,
    back: 'Not now',
    moving: (day: string) => `Moving the clock to ${day}…`,
    waiting: 'Waiting for:',
    moved: (day: string) => `The clock reached ${day}.`,
    generatedEvents: 'Generated events',
    generatedEventsHint: 'Events generated by the clock and their delivery to webhooks.',
    noWebhooks: 'There are no webhooks: these events are not sent to any server.',
    webhooks: 'Webhooks',
    nothingYet: 'No events yet.',
  },
});

/** ` (descuento $ 9.980, extras $ 12.000)` */
function partsOf(invoice: Amounts | null): string {
  if (!invoice) return '';
  const { discount, credit, extras } = invoice;
  const sums = { discount, extras: toCentavos(extras.reduce((sum, { amount }) => sum + amount, 0)), credit };
  const parts = (['discount', 'extras', 'credit'] as const)
    .filter(part => sums[part] !== 0)
    .map(part => `${t.parts[part]} ${formatMoney(sums[part])}`);
  return parts.length > 0 ? ` (${parts.join(', ')})` : '';
}

function adjustmentText(adjustment: Adjustment): string {
  if (adjustment.mark === 'plan') return t.changes(adjustment.to);
  const { period } = adjustment;
  if (adjustment.mark === 'extra') {
    const extras = adjustment.extras.map(({ description, amount }) => `${description} ${formatMoney(amount)}`);
    return t.extras(period, extras.join(', '));
  }
  return 'isOver' in adjustment ? t.discountOver(period) : t.discounted(period, formatMoney(adjustment.amount));
}

export function sentenceOf({ entry, charge, mark, adjustment, unlessPaid }: TimelineItem): string {
  if (entry) return entry.description;
  if (adjustment) return adjustmentText(adjustment);
  if (!charge) return unlessPaid ? t.endsUnpaid : t.ends;
  const { period, amount, invoice } = charge;
  const parts = partsOf(invoice);
  if (mark === 'covered') return t.covered(period, parts);
  return mark === 'would-decline'
    ? t.wouldDecline(period, formatMoney(amount))
    : t.planned(period, formatMoney(amount), parts);
}

export const labelOf = (item: TimelineItem): string => `${formatDay(item.day)}. ${sentenceOf(item)}`;
