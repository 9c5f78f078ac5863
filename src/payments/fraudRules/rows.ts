/** Rules as the database holds them, and the defaults beside them. */
import { Prisma } from '../../../prisma/generated/client';
import type { Environment } from '../../../prisma/generated/enums';
import type { FraudRuleModel } from '../../../prisma/generated/models';
import { activePresets, presetId } from '../../gateway/fraud/presets';
import { type FraudRuleRecord, narrowRule } from '../../gateway/fraud/rule';
import { ApiError } from '../../platform/errors';
import { isId } from '../../platform/identifiers';
import type { Context } from '../../schema/operation/context';
import type { StoredCard, TransactionRow } from '../charges/rows';
import type { FraudRule } from './fields';

export type FraudRuleRow = FraudRuleRecord &
  Pick<FraudRuleModel, 'id' | 'merchant_id'> & { creation_date: Date | null };

export function toFraudRule({
  id,
  name,
  kind,
  enabled,
  applies_to,
  parameters,
  creation_date,
}: FraudRuleRow): FraudRule {
  const { cards: _, amount, ...terms } = parameters;
  const fields = { ...terms, ...(amount === undefined ? {} : { amount: BigInt(amount) }) };
  return { id, name, kind, enabled, applies_to, ...fields, default: creation_date === null, creation_date };
}

/** The merchant's rules, newest first, then the remaining defaults. */
export async function loadRules(
  db: Prisma.TransactionClient,
  { merchant_id, environment }: Pick<Context, 'merchant_id' | 'environment'>,
): Promise<FraudRuleRow[]> {
  const [rows, presets] = await Promise.all([
    db.fraudRule.findMany({ where: { merchant_id }, orderBy: [{ creation_date: 'desc' }, { id: 'desc' }] }),
    presetsOf(db, { merchant_id, environment }),
  ]);
  const own = rows.map(narrowRule);
  const defaults = activePresets(presets, own).map(rule => ({
    ...rule,
    id: presetId(merchant_id, rule.name),
    merchant_id,
    creation_date: null,
  }));
  return [...own, ...defaults];
}

export async function presetsOf(
  db: Prisma.TransactionClient,
  { merchant_id, environment }: Pick<Context, 'merchant_id' | 'environment'>,
): Promise<Environment> {
  const merchant = await db.merchant.findUnique({ where: { id: merchant_id }, select: { fraud_presets: true } });
  return (merchant?.fraud_presets as Environment | null | undefined) ?? environment;
}

export async function findFraudRule(context: Context, id: string): Promise<FraudRuleRow> {
  const rule = isId(id) ? (await loadRules(context.db, context)).find(each => each.id === id) : undefined;
  if (!rule) throw new ApiError('not_found');
  return rule;
}

type PastColumns = 'id' | 'creation_date' | 'amount' | 'status' | 'error_code' | 'device_session_id' | 'customer_id';
export type PastCharge = Pick<TransactionRow, PastColumns | 'payer_address' | 'metadata' | 'subscription_id'> & {
  card: StoredCard;
  email: string | null;
  fingerprint: Uint8Array | null;
  is_renewal: boolean;
};

/** The newest, newest first. The first charge of a subscription is made with it. */
export const loadCharges = (
  { db, merchant_id }: Context,
  { gte, lt }: { gte: Date; lt: Date },
  max: number,
): Promise<PastCharge[]> =>
  db.$queryRaw<PastCharge[]>(Prisma.sql`
    select t.id, t.creation_date, t.amount, t.status, t.error_code, t.device_session_id, t.customer_id, t.payer_address,
      t.metadata, t.subscription_id, t.card, coalesce(t.customer ->> 'email', customers.email) as email, cards.fingerprint,
      t.subscription_id is not null and s.creation_date is distinct from t.creation_date as is_renewal
    from (
      select * from transactions where merchant_id = ${merchant_id} and transaction_type = 'charge' and method = 'card'
        and card is not null and creation_date >= ${gte} and creation_date < ${lt}
      order by creation_date desc, id desc limit ${max}
    ) as t
    left join customers on customers.id = t.customer_id
    left join cards on cards.id = t.source_id
    left join subscriptions s on s.id = t.subscription_id
    order by t.creation_date desc, t.id desc`);
