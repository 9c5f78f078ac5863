/** Texts of timelines. Statuses, event types and the like keep the names that they have in the API. */
import { formatMoment } from '../../../../workflows/calendar';
import type { Language } from '../../../platform/language';
import type { Money } from '../../../platform/money';
import { displayMoney, formatMoney } from '../../../platform/money';

interface StoryWords {
  happened(what: string, object_id: string): string;
  created(type: string, id: string, amount: Money, method: string, period: number | null): string;
  is(id: string, status: string): string;
  authorization: string;
  error: string;
  recoveryAfter: string;
  byTestClock(at: string): string;
  inPeriod(period: number, dueAt: string): string;
  next: string;
  noResponse(tries: number, at: string): string;
  suspended: string;
  heldBy(by: string, until: string | undefined, reason: string): string;
  deliveryCreated(id: string, event_id: string, host: string): string;
  deliveryState(id: string, status: string, attempts: number, nextAt: string | undefined): string;
  attempt(id: string, number: number, outcome: string, ms: number): string;
  by(actor: string): string;
  pending(what: string, tries: number, at: string): string;
  started(runId: string): string;
  ended(status: string, runId: string): string;
  running(activity: string): string;
  failedTasks(count: number): string;
  lastFailure(failure: string): string;
  notQueried(environment: string): string;
  silent(problem: string): string;
  unknown: string;
  approved(authorization: string): string;
  declined(why: string): string;
  reversed: string;
}

const english: StoryWords = {
  happened: (what, object_id) => `${what} of ${object_id}`,
  created: (type, id, amount, method, period) =>
    `${type} ${id} of ${formatMoney(amount)} by ${method}${period === null ? '' : ` for period ${period}`} was created`,
  is: (id, status) => `${id} is ${status}`,
  authorization: 'authorization',
  error: 'error',
  recoveryAfter: 'recovery after',
  byTestClock: at => `${at} by its test clock`,
  inPeriod: (period, dueAt) => `period ${period}, due at ${dueAt}`,
  next: 'next',
  noResponse: (tries, at) => `no response ${tries} times, next lookup at ${at}`,
  suspended: 'its merchant is suspended',
  heldBy: (by, until, reason) => `billing held by ${by}${until === undefined ? '' : ` until ${until}`}: ${reason}`,
  deliveryCreated: (id, event_id, host) => `${id} of ${event_id} to ${host} was created`,
  deliveryState: (id, status, attempts, nextAt) =>
    `${id} is ${status} after ${attempts} attempts${nextAt === undefined ? '' : `, next at ${nextAt}`}`,
  attempt: (id, number, outcome, ms) => `${id} attempt ${number}: ${outcome} in ${ms} ms`,
  by: actor => `by ${actor}`,
  pending: (what, tries, at) => `${what} is pending after ${tries} attempts, next at ${at}`,
  started: runId => `started, run ${runId}`,
  ended: (status, runId) => `ended: ${status}, run ${runId}`,
  running: activity => `running ${activity}`,
  failedTasks: count => `workflow task failed ${count} times`,
  lastFailure: failure => `last failure: ${failure}`,
  notQueried: environment => `not queried: the acquirer of ${environment} is not configured`,
  silent: problem => `does not respond: ${problem}`,
  unknown: 'unknown to the acquirer',
  approved: authorization => `approved, authorization ${authorization}`,
  declined: why => `declined: ${why}`,
  reversed: 'reversed',
};

const TYPES: Record<string, string> = {
  charge: 'el cobro',
  refund: 'el reembolso',
  fee: 'la tarifa',
  payout: 'el desembolso',
};
const METHODS: Record<string, string> = {
  card: 'con tarjeta',
  store: 'en tiendas',
  bank_account: 'por banco',
  bre_b: 'por Bre-B',
  customer: 'de la cuenta del cliente',
};
const times = (count: number): string => (count === 1 ? '1 vez' : `${count} veces`);
const attempts = (count: number): string => (count === 1 ? '1 intento' : `${count} intentos`);

const spanish: StoryWords = {
  happened: (what, object_id) => `${what} de ${object_id}`,
  created: (type, id, amount, method, period) =>
    `se creó ${TYPES[type] ?? type} ${id} por ${displayMoney(amount)} ${METHODS[method] ?? method}${period === null ? '' : `, período ${period}`}`,
  is: (id, status) => `${id} está ${status}`,
  authorization: 'autorización',
  error: 'error',
  recoveryAfter: 'se recupera después de',
  byTestClock: at => `${at} en su reloj de prueba`,
  inPeriod: (period, dueAt) => `período ${period}, vence ${dueAt}`,
  next: 'sigue',
  noResponse: (tries, at) => `sin respuesta ${times(tries)}, próxima consulta ${at}`,
  suspended: 'su comercio está suspendido',
  heldBy: (by, until, reason) => `cobros detenidos por ${by}${until === undefined ? '' : ` hasta ${until}`}: ${reason}`,
  deliveryCreated: (id, event_id, host) => `se creó ${id} de ${event_id} para ${host}`,
  deliveryState: (id, status, count, nextAt) =>
    `${id} está ${status} después de ${attempts(count)}${nextAt === undefined ? '' : `, próximo ${nextAt}`}`,
  attempt: (id, number, outcome, ms) => `${id}, intento ${number}: ${outcome} en ${ms} ms`,
  by: actor => `por ${actor}`,
  pending: (what, tries, at) => `${what} está pendiente después de ${attempts(tries)}, próximo ${at}`,
  started: runId => `comenzó, ejecución ${runId}`,
  ended: (status, runId) => `terminó: ${status}, ejecución ${runId}`,
  running: activity => `ejecuta ${activity}`,
  failedTasks: count => `la tarea del workflow falló ${times(count)}`,
  lastFailure: failure => `última falla: ${failure}`,
  notQueried: environment => `sin consultar: el adquirente de ${environment} no está configurado`,
  silent: problem => `no responde: ${problem}`,
  unknown: 'el adquirente no lo conoce',
  approved: authorization => `aprobado, autorización ${authorization}`,
  declined: why => `rechazado: ${why}`,
  reversed: 'reversado',
};

export const storyWords: Record<Language, StoryWords> = { en: english, es: spanish };
export const moment = (at: Date | number): string => formatMoment(Number(at));
