import { scalar } from '../../schema/scalars';

export const FraudRuleNameScalar = scalar<string>({
  name: 'FraudRuleName',
  description: 'Name of a fraud rule',
  parse: String,
  serialize: String,
  accepts: { type: 'string' },
});
