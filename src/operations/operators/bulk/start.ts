/** Starts, stops and reports bulk actions. A worker performs them (`run.ts`). */
import { type AuditOrigin, auditEntry } from '../../../accounts/auditLog/entry';
import type { Database } from '../../../platform/database/connection';
import { ApiError } from '../../../platform/errors';
import type { CommandPage, Step } from '../command';
import type { ChangeRequest } from '../incidents/plannedChange';
import type { BulkActionName, BulkRefusal, BulkTarget, NewBulkAction } from './fields';
import { countFound, readFound } from './find';
import { type BulkRow, narrowBulk } from './rows';

const MAX_SHOWN = 10;

interface BulkPlan {
  found: number;
  subscription_ids: string[];
  steps: Step[];
}

const EFFECTS: Readonly<Record<BulkActionName, Step>> = {
  cancel: {
    en: 'Each is cancelled immediately, like the merchant’s DELETE. This cannot be undone.',
    es: 'Cada una se cancela de inmediato, como con el DELETE del comercio. No se puede deshacer.',
  },
  hold: {
    en: 'The billing of each is held until an operator releases it.',
    es: 'Los cobros de cada una se detienen hasta que un operador los reanude.',
  },
  release: {
    en: 'The billing hold of each is released. Overdue periods are billed once.',
    es: 'Se reanudan los cobros de cada una. Los períodos atrasados se cobran una sola vez.',
  },
  retry: {
    en: 'The unpaid period of each is charged once now, without using up a retry.',
    es: 'El período sin pagar de cada una se cobra una vez ahora, sin gastar un reintento.',
  },
  ask_acquirer: {
    en: 'The charge of each without a response is looked up at the acquirer now.',
    es: 'El cobro sin respuesta de cada una se consulta ahora al adquirente.',
  },
};

/** Throws if Temporal refuses the query. */
export async function planBulk({ temporal }: Pick<ChangeRequest, 'temporal'>, target: BulkTarget): Promise<BulkPlan> {
  const found = await countFound(temporal, target);
  const { ids } = temporal ? await readFound(temporal, target, MAX_SHOWN) : { ids: [] };
  const { action, environment, rate } = target;
  const seconds = Math.ceil(found / rate);
  return {
    found,
    subscription_ids: ids,
    steps: [
      {
        en: `The query finds ${found} live ${found === 1 ? 'subscription' : 'subscriptions'} of ${environment} now. The list is read again after the start.`,
        es: `La consulta encuentra ahora ${found} ${found === 1 ? 'suscripción viva' : 'suscripciones vivas'} de ${environment}. La lista se lee otra vez después de empezar.`,
      },
      EFFECTS[action],
      {
        en: `At most ${rate} per second: at least ${seconds} seconds. The bulk action can be stopped.`,
        es: `Máximo ${rate} por segundo: al menos ${seconds} segundos. La acción masiva se puede detener.`,
      },
      {
        en: 'A subscription that does not allow the action is left unchanged, and the report has the reason.',
        es: 'Una suscripción que no permite la acción queda igual, y el informe dice el motivo.',
      },
    ],
  };
}

/** A repeated start with the same ID returns the first one. */
export async function startBulk(
  { db, temporal }: Omit<ChangeRequest, 'id' | 'newId'>,
  by: AuditOrigin,
  id: string,
  { action, environment, query, rate, reason }: NewBulkAction,
): Promise<BulkRow> {
  const existing = await db.bulkAction.findUnique({ where: { id } });
  if (existing) return narrowBulk(existing);
  await countFound(temporal, { environment, query });
  const terms = { action, environment, query, rate, reason };
  return db.$transaction(async tx => {
    const actor = { actor: by.actor.kind, actor_id: by.actor.id };
    const row = await tx.bulkAction.create({ data: { id, ...terms, ...actor } });
    await tx.auditEntry.create({ data: auditEntry(by, 'bulk.started', { object_id: id, after: terms }, null) });
    return narrowBulk(row);
  });
}

/** Subscriptions on which it has not acted are left unchanged. Stopping it again changes nothing. */
export async function stopBulk(db: Database, by: AuditOrigin, id: string): Promise<BulkRow> {
  return db.$transaction(async tx => {
    const data = { state: 'stopped', finished_at: new Date() };
    const [stopped] = await tx.bulkAction.updateManyAndReturn({ where: { id, finished_at: null }, data });
    if (stopped) {
      await tx.auditEntry.create({ data: auditEntry(by, 'bulk.stopped', { object_id: id }, null) });
      return narrowBulk(stopped);
    }
    const row = await findBulk(tx, id);
    if (row.state === 'done') throw new ApiError('not_allowed', 'bulk_action_ended', { id });
    return row;
  });
}

export async function findBulk(db: Pick<Database, 'bulkAction'>, id: string): Promise<BulkRow> {
  const row = await db.bulkAction.findUnique({ where: { id } });
  if (!row) throw new ApiError('not_found', 'unknown_bulk_action', { id });
  return narrowBulk(row);
}

export async function readRefusals(db: Database, id: string, { offset, limit }: CommandPage): Promise<BulkRefusal[]> {
  const refused = await db.bulkItem.findMany({
    where: { bulk_id: id, outcome: 'refused' },
    orderBy: { subscription_id: 'asc' },
    skip: offset,
    take: limit,
  });
  return refused.map(({ subscription_id, message }) => ({ subscription_id, message: message ?? '' }));
}
