import type { Prisma } from '../../../prisma/generated/client';
import type { Environment } from '../../../prisma/generated/enums';
import type { FraudRuleModel } from '../../../prisma/generated/models';
import { activePresets, presetId } from '../../gateway/fraud/presets';
import { type FraudRuleRecord, narrowRule } from '../../gateway/fraud/rule';
import { ApiError } from '../../platform/errors';
import { isId } from '../../platform/identifiers';
import type { Context } from '../../schema/operation/context';
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
