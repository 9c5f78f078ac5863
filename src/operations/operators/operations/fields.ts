import { ObjectType } from 'type-graphql';
import { MerchantEnvironment } from '../../../accounts/merchants/fields';
import { HOLD_SCOPES } from '../../../billing/holds/rows';
import { Count, choice, Flag, ListOf, Moment, Text } from '../../../schema/shapes';

type EnvironmentName = 'sandbox' | 'production';

@ObjectType({ description: 'What the workers charged in a minute' })
export class RenewalsOfMinute {
  @Moment('When the minute began')
  at!: Date;
  @Count('Renewals that were paid')
  charged!: number;
  @Count('Renewals that were declined')
  declined!: number;
  @Count('How often the acquirer gave no answer')
  unanswered!: number;
}

@ObjectType({ description: 'How the work of an environment stands' })
export class EnvironmentFigures {
  @MerchantEnvironment.field('sandbox or production')
  environment!: EnvironmentName;
  @Count('Renewals that were due more than a minute ago; counted up to 100,000')
  overdue!: number;
  @Count('For how many seconds the oldest of them has been due')
  overdue_seconds!: number;
  @Count('Attempts at the acquirer whose outcome is not known')
  unknowns!: number;
  @Count('Follow-up work that is not done yet')
  outbox_rows!: number;
  @Count('For how many seconds the oldest of it could have been done')
  outbox_seconds!: number;
  @Count('Webhook deliveries that are to be sent now; counted up to 100,000')
  deliveries!: number;
  @Count('Workers that have lately said that they live')
  workers!: number;
  @ListOf('The last hour, minute by minute', () => RenewalsOfMinute)
  minutes!: RenewalsOfMinute[];
}

@ObjectType({ description: 'A worker process' })
export class Worker {
  @Text('Unique identifier', { id: 'worker' })
  id!: string;
  @MerchantEnvironment.field('The environment that it works for; null is both', { nullable: true })
  environment!: EnvironmentName | null;
  @Text('The machine that it runs on')
  host!: string;
  @Count('The number of its process there')
  pid!: number;
  @Text('The version that it runs, and a hash of the program')
  build!: string;
  @Moment('When it started')
  started_at!: Date;
  @Moment('When it last said that it lives')
  beat_at!: Date;
  @Flag('Whether that was a moment ago')
  alive!: boolean;
  @Flag('Whether it was asked to finish and end')
  draining!: boolean;
}

const PAUSED_KINDS = ['merchant_suspended', ...HOLD_SCOPES.map(scope => `${scope}_held` as const)] as const;
const PausedKind = choice('PausedKind', 'Why billing waits', ...PAUSED_KINDS);

@ObjectType({ description: 'Something whose billing waits' })
export class PausedWork {
  @PausedKind.field('Why it waits')
  kind!: (typeof PAUSED_KINDS)[number];
  @MerchantEnvironment.field('sandbox or production')
  environment!: EnvironmentName;
  @Text('The id of the merchant, customer, plan or subscription; of everything, the environment')
  id!: string;
  @Text('Its name; of a subscription, that of its plan; none of a customer', { nullable: true })
  name!: string | null;
  @Text('Why, in words', { nullable: true })
  reason!: string | null;
  @Text('Who has decided it, as far as that is known', { nullable: true })
  by!: string | null;
  @Moment('Since when')
  since!: Date;
}

@ObjectType({ description: 'An attempt at the acquirer whose outcome is not known' })
export class OpenUnknown {
  @Text('The id of the transaction', { id: 'transaction' })
  id!: string;
  @MerchantEnvironment.field('sandbox or production')
  environment!: EnvironmentName;
  @Text('The id of its merchant', { id: 'merchant' })
  merchant_id!: string;
  @Text('charge, refund or payout')
  transaction_type!: string;
  @Text('How far it is')
  progress!: string;
  @Text('The subscription that it is for', { nullable: true, id: 'subscription' })
  subscription_id!: string | null;
  @Moment('Since when')
  since!: Date;
}

@ObjectType({ description: 'Something that differs' })
export class AuditExample {
  @Text('What it is, in words')
  text!: string;
}

@ObjectType({ description: 'What the latest audit found of one thing that must be true' })
export class AuditFinding {
  @Text('An environment, or all')
  scope!: string;
  @Text('What must be true; books is what npm run audit checks')
  name!: string;
  @Count('How many were looked at')
  checks!: number;
  @Count('How many differ')
  differences!: number;
  @ListOf('Some of them', () => AuditExample)
  examples!: AuditExample[];
  @Moment('When the audit ended')
  ended_at!: Date;
}

@ObjectType({ description: 'How everything stands, for operators' })
export class Operations {
  @Moment('When this was read')
  now!: Date;
  @ListOf('Both environments', () => EnvironmentFigures)
  environments!: EnvironmentFigures[];
  @ListOf('Worker processes, those of the last day included that are gone without a word', () => Worker)
  workers!: Worker[];
  @ListOf('Whose billing waits, for longest first; at most 50', () => PausedWork)
  paused!: PausedWork[];
  @ListOf('Outcomes that are not known, oldest first; at most 20', () => OpenUnknown)
  unknowns!: OpenUnknown[];
  @ListOf('What the latest audits found', () => AuditFinding)
  audit!: AuditFinding[];
}
