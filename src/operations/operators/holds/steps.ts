/** The previews of a billing hold, its release, and a suspension, which pauses billing too. */
import { formatMoment } from '../../../../workflows/calendar';
import { describeHold, findOpenHold, repeatedHold } from '../../../billing/holds/hold';
import type { HoldTarget } from '../../../billing/holds/rows';
import type { Database } from '../../../platform/database/connection';
import { ApiError } from '../../../platform/errors';
import type { Step } from '../command';
import { countCovered } from './rows';

/** Throws for a conflicting hold. */
export async function holdSteps(
  db: Database,
  target: HoldTarget,
  { reason, until }: { reason: string; until: Date | undefined },
): Promise<Step[]> {
  const { live, due, soon } = await countCovered(db, target);
  const end = until && formatMoment(until.getTime());
  repeatedHold(await findOpenHold(db, target), { reason, until });
  return [
    {
      en: `Billing of ${nameOf(target).en} is held until ${end ?? 'an operator releases it'}.`,
      es: `Los cobros automáticos de ${nameOf(target).es} se detienen hasta ${end ?? 'que un operador los reanude'}.`,
    },
    {
      en: `The hold covers ${subscriptions(live)}: ${due} due now, ${soon} more within a day.`,
      es: `Afecta ${suscripciones(live)}: ${due} por cobrar ahora y ${soon} más en un día.`,
    },
    {
      en: 'Attempts in progress are finished. No other renewals are charged, and no subscription is cancelled for non-payment.',
      es: 'Los intentos en curso terminan. No se cobran otras renovaciones ni se cancelan suscripciones por falta de pago.',
    },
    {
      en: 'Requests of merchants are still processed: new subscriptions, retries, a new card for an unpaid period.',
      es: 'Se siguen procesando las solicitudes de los comercios: suscripciones nuevas, reintentos, una tarjeta nueva para un período sin pagar.',
    },
  ];
}

/** Throws without a hold. */
export async function releaseSteps(
  db: Database,
  target: HoldTarget,
  over_seconds: number | undefined,
): Promise<Step[]> {
  const held = await findOpenHold(db, target);
  if (!held) throw new ApiError('not_allowed', 'not_held');
  const { live, due } = await countCovered(db, target);
  return [
    {
      en: `Billing of ${nameOf(target).en} resumes. It was held ${describeHold(held)}.`,
      es: `Se reanudan los cobros automáticos de ${nameOf(target).es}. Detenidos: ${describeHold(held)}.`,
    },
    {
      en: `The hold covers ${subscriptions(live)}, ${due} due now.`,
      es: `Afecta ${suscripciones(live)}, ${due} por cobrar ahora.`,
    },
    {
      en: `Overdue periods are billed once, ${over_seconds === undefined ? 'spread according to their number' : `over ${over_seconds} seconds`}. Subscriptions under another hold or a suspended merchant keep waiting.`,
      es: `Los períodos atrasados se cobran una sola vez, ${over_seconds === undefined ? 'repartidos según su número' : `repartidos en ${over_seconds} segundos`}. Las suscripciones bajo otra detención o de un comercio suspendido siguen esperando.`,
    },
    {
      en: 'Unpaid subscriptions keep the time that they had left when the hold began.',
      es: 'Las suscripciones impagas conservan el plazo que tenían al detener los cobros.',
    },
  ];
}

/** The preview of a suspension or its end. Throws if the merchant has this status already. */
export async function suspensionSteps(db: Database, id: string, status: 'suspended' | 'active'): Promise<Step[]> {
  const merchant = await db.merchant.findUnique({ where: { id } });
  if (!merchant) throw new ApiError('not_found', 'unknown_merchant', { id });
  if (merchant.status === status)
    throw new ApiError('not_allowed', status === 'active' ? 'not_suspended' : 'already_suspended');
  const { environment, name } = merchant;
  const { live, due, soon } = await countCovered(db, {
    scope: 'merchant',
    object_id: id,
    environment,
    merchant_id: id,
  });
  if (status === 'suspended')
    return [
      {
        en: `${name} can only read: its requests that move money or save cards are refused.`,
        es: `${name} solo puede consultar: se rechazan sus solicitudes que mueven dinero o guardan tarjetas.`,
      },
      {
        en: `The billing of ${subscriptions(live)} pauses: ${due} due now, ${soon} more within a day.`,
        es: `Se detienen los cobros de ${suscripciones(live)}: ${due} por cobrar ahora y ${soon} más en un día.`,
      },
      {
        en: 'The merchant sees the reason, and its webhooks get the event merchant.suspended.',
        es: 'El comercio ve el motivo, y sus webhooks reciben el evento merchant.suspended.',
      },
    ];
  return [
    {
      en: `${name} can move money again.`,
      es: `${name} puede volver a mover dinero.`,
    },
    {
      en: `The billing of ${subscriptions(live)} resumes, ${due} due now. Overdue periods are billed once, spread over time.`,
      es: `Se reanudan los cobros de ${suscripciones(live)}, ${due} por cobrar ahora. Los períodos atrasados se cobran una sola vez, repartidos en el tiempo.`,
    },
    {
      en: 'The webhooks of the merchant get the event merchant.resumed.',
      es: 'Los webhooks del comercio reciben el evento merchant.resumed.',
    },
  ];
}

const subscriptions = (count: number): string => (count === 1 ? '1 subscription' : `${count} subscriptions`);
const suscripciones = (count: number): string => (count === 1 ? '1 suscripción' : `${count} suscripciones`);

const SCOPES = { subscription: 'la suscripción', customer: 'el cliente', plan: 'el plan', merchant: 'el comercio' };

const nameOf = ({ scope, object_id }: HoldTarget): Step =>
  scope === 'everything'
    ? { en: `everything in ${object_id}`, es: `todo el ambiente ${object_id}` }
    : { en: `the ${scope} ${object_id}`, es: `${SCOPES[scope]} ${object_id}` };
