/** Writes fraud rules with their audit log entries, serialized per merchant. */
import type { Prisma } from '../../../prisma/generated/client';
import type { AuditAction } from '../../accounts/auditLog/actions';
import { auditEntry, changedMembers } from '../../accounts/auditLog/entry';
import { lockMerchant } from '../../accounts/merchants/rows';
import { presetId } from '../../gateway/fraud/presets';
import type { FraudRuleRecord } from '../../gateway/fraud/rule';
import { ApiError } from '../../platform/errors';
import type { Context } from '../../schema/operation/context';
import { fieldsOf } from '../../schema/shapes';
import { rejectChangedTerms } from '../../schema/terms';
import { CreateFraudRule, type UpdateFraudRule } from './fields';
import { type FraudRuleRow, findFraudRule, loadRules, presetsOf, toFraudRule } from './rows';
import { readParameters } from './terms';

const MAX_RULES_PER_MERCHANT = 50;

export async function readRule(
  context: Context,
  rule: CreateFraudRule,
  earlier?: FraudRuleRow,
): Promise<FraudRuleRecord> {
  const { name, kind, enabled, applies_to } = rule;
  return { name, kind, enabled, applies_to, parameters: await readParameters(context, rule, earlier?.parameters) };
}

export async function createRule(context: Context, input: CreateFraudRule): Promise<FraudRuleRow> {
  const rule = await readRule(context, input);
  const id = context.newId('fraud_rule');
  return changeRules(context, async (tx, rules) => {
    const own = rules.filter(({ creation_date }) => creation_date !== null);
    const repeated = own.find(each => each.id === id);
    if (repeated) return repeated;
    rejectTaken(own, rule.name);
    if (own.length >= MAX_RULES_PER_MERCHANT)
      throw new ApiError('not_allowed', 'too_many_fraud_rules', { max: MAX_RULES_PER_MERCHANT });
    const row = { ...rule, id, merchant_id: context.merchant_id, creation_date: new Date() };
    await tx.fraudRule.create({ data: toData(row) });
    await audit(tx, context, 'fraud_rule.created', row.id, undefined, row);
    return row;
  });
}

/** Overriding a default creates a rule of the merchant with the same ID. */
export async function changeRule(context: Context, id: string, input: UpdateFraudRule): Promise<FraudRuleRow> {
  await findFraudRule(context, id);
  return changeRules(context, async (tx, rules) => {
    const before = rules.find(each => each.id === id);
    if (!before) throw new ApiError('not_found');
    rejectChangedTerms({ kind: input.kind ?? before.kind }, { kind: before.kind });
    const merged = fieldsOf(CreateFraudRule, { ...toFraudRule(before), ...providedFields(input) });
    const rule = await readRule(context, { ...merged }, before);
    // A renamed override would restore the default, which has the same ID.
    if (id === presetId(context.merchant_id, before.name) && rule.name !== before.name)
      throw new ApiError('invalid_value', 'default_rule_name', { field: 'name' });
    const own = rules.filter(({ creation_date }) => creation_date !== null);
    rejectTaken(
      own.filter(each => each.id !== id),
      rule.name,
    );
    const row = { ...rule, id, merchant_id: context.merchant_id, creation_date: before.creation_date ?? new Date() };
    const data = toData(row);
    await tx.fraudRule.upsert({ where: { id }, create: data, update: data });
    await audit(tx, context, 'fraud_rule.changed', id, before, row);
    return row;
  });
}

export async function deleteRule(context: Context, id: string): Promise<FraudRuleRow> {
  return changeRules(context, async (tx, rules) => {
    const row = rules.find(each => each.id === id);
    if (!row) throw new ApiError('not_found');
    if (row.creation_date === null) throw new ApiError('not_allowed', 'default_rule_deletion');
    await tx.fraudRule.delete({ where: { id } });
    await audit(tx, context, 'fraud_rule.deleted', id, row, undefined);
    return row;
  });
}

export async function changePresets(context: Context, presets: 'sandbox' | 'production'): Promise<void> {
  if (context.environment === 'production' && presets !== 'production')
    throw new ApiError('invalid_value', 'presets_of_production', { field: 'presets' });
  await changeRules(context, async tx => {
    const before = { presets: await presetsOf(tx, context) };
    if (before.presets === presets) return;
    await tx.merchant.update({ where: { id: context.merchant_id }, data: { fraud_presets: presets } });
    const members = changedMembers(before, { presets });
    await tx.auditEntry.create({ data: auditEntry(context, 'fraud_rule.changed', members) });
  });
}

/** Locks the merchant, so that concurrent changes neither exceed the limit nor overwrite each other. */
async function changeRules<T>(
  context: Context,
  work: (tx: Prisma.TransactionClient, rules: FraudRuleRow[]) => Promise<T>,
): Promise<T> {
  const { db, merchant_id, fraud } = context;
  const result = await db.$transaction(async tx => {
    await lockMerchant(tx, merchant_id);
    return work(tx, await loadRules(tx, context));
  });
  fraud.forget(merchant_id);
  return result;
}

function rejectTaken(rules: readonly FraudRuleRow[], name: string): void {
  if (rules.some(each => each.name === name)) throw new ApiError('invalid_value', 'rule_name_taken', { field: 'name' });
}

const providedFields = (input: UpdateFraudRule): object =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined && value !== ''));

const toData = ({ parameters, creation_date, ...row }: FraudRuleRow) => ({
  ...row,
  creation_date: creation_date ?? new Date(),
  parameters: parameters as Prisma.InputJsonObject,
});

/** The audit log records only the length of a list. */
function audit(
  tx: Prisma.TransactionClient,
  context: Context,
  action: AuditAction,
  object_id: string,
  before: FraudRuleRow | undefined,
  after: FraudRuleRow | undefined,
): Promise<unknown> {
  const toMembers = (row?: FraudRuleRow): Record<string, unknown> => {
    if (!row) return {};
    const { name, kind, enabled, applies_to, parameters } = row;
    const { values, cards: _, ...terms } = parameters;
    return { name, kind, enabled, applies_to, ...terms, ...(values && { values: values.length }) };
  };
  const names = Object.keys({ ...toMembers(before), ...toMembers(after) });
  const filled = (row?: FraudRuleRow) => Object.fromEntries(names.map(name => [name, toMembers(row)[name] ?? null]));
  const members = changedMembers(filled(before), filled(after));
  return tx.auditEntry.create({ data: auditEntry(context, action, { object_id, ...members }) });
}
