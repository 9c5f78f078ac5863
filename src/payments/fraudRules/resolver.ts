import { Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { PRESETS } from '../../gateway/fraud/presets';
import { takeQuota } from '../../platform/database/quota';
import { Body, Id } from '../../schema/arguments';
import { toWholeConnection } from '../../schema/connections/connection';
import type { Order } from '../../schema/connections/order';
import { ForwardWindow, positionSlice, toPositionConnection } from '../../schema/connections/positions';
import { Errors } from '../../schema/errors/mutationErrors';
import type { Context } from '../../schema/operation/context';
import { dryRun, shareWarning, warningOf } from './dryRun';
import { DryRun, DryRunRequest, DryRunTarget, FraudDryRun, RefusedChargeConnection } from './dryRunFields';
import {
  CreateFraudRule,
  FraudRule,
  FraudRuleConnection,
  FraudRulesArgs,
  FraudRulesConnectionArgs,
  FraudSettings,
  UpdateFraudRule,
  UpdateFraudSettings,
} from './fields';
import { type FraudRuleRow, findFraudRule, loadRules, type PastCharge, presetsOf, toFraudRule } from './rows';
import { changePresets, changeRule, createRule, deleteRule, readRule } from './store';

/** Limited, because a dry run can read thousands of charges. */
const DRY_RUNS = { name: 'fraud dry runs', problem: 'hourly_dry_runs', max: 500 } as const;

const DEFAULT_NAMES = Object.values(PRESETS).flatMap(rules => rules.map(({ name }) => name));

const DEFAULTS_LAST: Order<FraudRule> = {
  name: 'fraud_rule',
  by: ['creation_date', 'id'],
  kinds: ['moment', 'id'],
  // The defaults have no date.
  placeOf: ({ creation_date, id, name }) => [
    creation_date ?? new Date(DEFAULT_NAMES.length - DEFAULT_NAMES.indexOf(name)),
    id,
  ],
};

@Resolver()
export class FraudRuleResolver {
  @Query(() => FraudRule, { description: 'Retrieves a fraud rule' })
  async fraudRule(
    @Ctx() context: Context,
    @Id('fraud_rule_id', 'fraud_rule') fraud_rule_id: string,
  ): Promise<FraudRule> {
    return toFraudRule(await findFraudRule(context, fraud_rule_id));
  }

  @Query(() => [FraudRule], { description: "Lists fraud rules: the merchant's rules, newest first, then the defaults" })
  async fraudRules(
    @Ctx() context: Context,
    @Args(() => FraudRulesArgs) { offset, limit }: FraudRulesArgs,
  ): Promise<FraudRule[]> {
    return (await loadRules(context.db, context)).slice(offset, offset + limit).map(toFraudRule);
  }

  @Query(() => FraudRuleConnection, {
    description: "Lists fraud rules: the merchant's rules, newest first, then the defaults",
  })
  async fraudRulesConnection(
    @Ctx() context: Context,
    @Args(() => FraudRulesConnectionArgs) window: FraudRulesConnectionArgs,
  ): Promise<FraudRuleConnection> {
    const rules = await loadRules(context.db, context);
    return toWholeConnection(window, rules.map(toFraudRule), DEFAULTS_LAST);
  }

  @Mutation(() => FraudRule, {
    description: 'Creates a fraud rule. A rule with the name of a default replaces the default',
  })
  @Errors('not_allowed')
  async createFraudRule(
    @Ctx() context: Context,
    @Body('rule', () => CreateFraudRule, 'The new fraud rule') rule: CreateFraudRule,
  ): Promise<FraudRule> {
    return withWarning(context, await createRule(context, rule));
  }

  @Mutation(() => FraudRule, { description: 'Updates a fraud rule, or overrides a default' })
  async updateFraudRule(
    @Ctx() context: Context,
    @Id('fraud_rule_id', 'fraud_rule') fraud_rule_id: string,
    @Body('rule', () => UpdateFraudRule, 'The changes') changes: UpdateFraudRule,
  ): Promise<FraudRule> {
    return withWarning(context, await changeRule(context, fraud_rule_id, changes));
  }

  @Mutation(() => FraudRule, {
    description: 'Deletes a fraud rule, or restores a changed default. Returns the deleted rule',
  })
  @Errors('not_allowed')
  async deleteFraudRule(
    @Ctx() context: Context,
    @Id('fraud_rule_id', 'fraud_rule') fraud_rule_id: string,
  ): Promise<FraudRule> {
    return toFraudRule(await deleteRule(context, fraud_rule_id));
  }

  @Query(() => DryRun, { description: 'Evaluates a fraud rule on the charges of up to 90 days, without side effects' })
  async dryRunFraudRule(
    @Ctx() context: Context,
    @Body('dry_run', () => DryRunRequest, 'The rule and the period') { offset, limit, ...target }: DryRunRequest,
  ): Promise<DryRun> {
    const { charges, ...result } = await runDry(context, target);
    return { ...result, charges: charges.slice(offset, offset + limit) };
  }

  @Query(() => FraudDryRun, {
    description: 'Evaluates a fraud rule on the charges of up to 90 days, without side effects',
  })
  dryRunFraudRuleConnection(
    @Ctx() context: Context,
    @Body('dry_run', () => DryRunTarget, 'The rule and the period') target: DryRunTarget,
  ): Promise<FinishedDryRun> {
    return runDry(context, target);
  }

  @Query(() => FraudSettings, { description: 'Retrieves the fraud settings' })
  async fraudSettings(@Ctx() context: Context): Promise<FraudSettings> {
    return { presets: await presetsOf(context.db, context) };
  }

  @Mutation(() => FraudSettings, { description: 'Updates the fraud settings' })
  async updateFraudSettings(
    @Ctx() context: Context,
    @Body('settings', () => UpdateFraudSettings, 'The settings') { presets }: UpdateFraudSettings,
  ): Promise<FraudSettings> {
    await changePresets(context, presets);
    return { presets };
  }
}

@Resolver(() => FraudDryRun)
export class DryRunResolver {
  @FieldResolver(() => RefusedChargeConnection, { description: 'Refused charges, newest first' })
  charges(
    @Root() { charges }: FinishedDryRun,
    @Args(() => ForwardWindow) window: ForwardWindow,
  ): RefusedChargeConnection {
    const { offset, limit } = positionSlice(window);
    return toPositionConnection(window, charges.slice(offset, offset + limit));
  }
}

interface FinishedDryRun extends FraudDryRun {
  charges: PastCharge[];
}

async function runDry(context: Context, { rule, from, to }: DryRunTarget): Promise<FinishedDryRun> {
  const terms = await readRule(context, rule);
  await takeQuota(context.db, { merchant_id: context.merchant_id, ...DRY_RUNS });
  const { evaluated, refused } = await dryRun(context, terms, { from, to });
  const warning = shareWarning(evaluated, refused.length);
  return {
    evaluated,
    refused: refused.length,
    share: String(evaluated === 0 ? 0 : Math.round((refused.length / evaluated) * 10_000) / 10_000),
    charges: refused,
    ...(warning && { warning }),
  };
}

/** The rule is already saved, so a failed dry run only omits the warning. */
async function withWarning(context: Context, rule: FraudRuleRow): Promise<FraudRule> {
  const { db, merchant_id } = context;
  const warning = await takeQuota(db, { merchant_id, ...DRY_RUNS })
    .then(() => warningOf(context, rule))
    .catch(() => undefined);
  return { ...toFraudRule(rule), ...(warning && { warning }) };
}
