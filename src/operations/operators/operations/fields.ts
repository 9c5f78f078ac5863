import { ObjectType } from 'type-graphql';
import { MerchantEnvironment } from '../../../accounts/merchants/fields';
import { HOLD_SCOPES } from '../../../billing/holds/rows';
import { Count, choice, Flag, ListOf, Moment, Text } from '../../../schema/shapes';

type EnvironmentName = 'sandbox' | 'production';

@ObjectType({ description: 'Renewals that the workers charged in one minute' })
export class RenewalsOfMinute {
  @Moment('Start of the minute')
  at!: Date;
  @Count('Paid renewals')
  charged!: number;
  @Count('Declined renewals')
  declined!: number;
  @Count('Attempts without a response of the acquirer')
  unanswered!: number;
}

@ObjectType({ description: 'Status of an environment' })
export class EnvironmentFigures {
  @MerchantEnvironment.field('sandbox or production')
  environment!: EnvironmentName;
  @Count('Renewals overdue for more than a minute, counted up to 100,000')
  overdue!: number;
  @Count('Seconds since the oldest overdue renewal was due')
  overdue_seconds!: number;
  @Count('Acquirer operations with an unknown outcome')
  unknowns!: number;
  @Count('Pending outbox rows')
  outbox_rows!: number;
  @Count('Seconds since the oldest outbox row was due')
  outbox_seconds!: number;
  @Count('Webhook deliveries waiting to be sent, counted up to 100,000')
  deliveries!: number;
  @Count('Workers with a recent heartbeat')
  workers!: number;
  @ListOf('Renewals of the last hour by minute', () => RenewalsOfMinute)
  minutes!: RenewalsOfMinute[];
}

@ObjectType({ description: 'A worker process' })
export class Worker {
  @Text('Unique identifier', { id: 'worker' })
  id!: string;
  @MerchantEnvironment.field('Environment of the worker; null for both', { nullable: true })
  environment!: EnvironmentName | null;
  @Text('Host name')
  host!: string;
  @Count('Process ID')
  pid!: number;
  @Text('Version and hash of the build')
  build!: string;
  @Moment('Start time')
  started_at!: Date;
  @Moment('Time of the latest heartbeat')
  beat_at!: Date;
  @Flag('Whether the latest heartbeat is recent')
  alive!: boolean;
  @Flag('Whether the worker is being drained')
  draining!: boolean;
}

const PAUSED_KINDS = ['merchant_suspended', ...HOLD_SCOPES.map(scope => `${scope}_held` as const)] as const;
const PausedKind = choice('PausedKind', 'Reason why billing is paused', ...PAUSED_KINDS);

@ObjectType({ description: 'An object whose billing is paused' })
export class PausedWork {
  @PausedKind.field('Type of the pause')
  kind!: (typeof PAUSED_KINDS)[number];
  @MerchantEnvironment.field('sandbox or production')
  environment!: EnvironmentName;
  @Text('ID of the merchant, customer, plan or subscription; for everything, the environment')
  id!: string;
  @Text('Name of the merchant or plan; for a subscription, the name of its plan', { nullable: true })
  name!: string | null;
  @Text('Reason given by the actor', { nullable: true })
  reason!: string | null;
  @Text('Actor that paused billing, if known', { nullable: true })
  by!: string | null;
  @Moment('Time when the pause began')
  since!: Date;
}

@ObjectType({ description: 'An acquirer operation with an unknown outcome' })
export class OpenUnknown {
  @Text('Transaction ID', { id: 'transaction' })
  id!: string;
  @MerchantEnvironment.field('sandbox or production')
  environment!: EnvironmentName;
  @Text('Merchant ID', { id: 'merchant' })
  merchant_id!: string;
  @Text('Transaction type: charge, refund or payout')
  transaction_type!: string;
  @Text('Progress of the operation')
  progress!: string;
  @Text('Subscription ID of a renewal', { nullable: true, id: 'subscription' })
  subscription_id!: string | null;
  @Moment('Time when the operation began')
  since!: Date;
}

@ObjectType({ description: 'A difference found by a reconciliation' })
export class AuditExample {
  @Text('Description of the difference')
  text!: string;
}

@ObjectType({ description: 'Latest reconciliation result of one invariant' })
export class AuditFinding {
  @Text('Environment, or "all"')
  scope!: string;
  @Text('Name of the invariant; "books" has the checks of npm run audit')
  name!: string;
  @Count('Number of checked objects')
  checks!: number;
  @Count('Number of differences')
  differences!: number;
  @ListOf('Examples of differences', () => AuditExample)
  examples!: AuditExample[];
  @Moment('End time of the reconciliation')
  ended_at!: Date;
}

@ObjectType({ description: 'Status of both environments' })
export class Operations {
  @Moment('Time of the snapshot')
  now!: Date;
  @ListOf('Status by environment; those that are off are omitted', () => EnvironmentFigures)
  environments!: EnvironmentFigures[];
  @ListOf('Worker processes, including those lost within the last day', () => Worker)
  workers!: Worker[];
  @ListOf('Objects with paused billing, longest pause first; at most 50', () => PausedWork)
  paused!: PausedWork[];
  @ListOf('Unknown outcomes, oldest first; at most 20', () => OpenUnknown)
  unknowns!: OpenUnknown[];
  @ListOf('Latest reconciliation results', () => AuditFinding)
  audit!: AuditFinding[];
}
