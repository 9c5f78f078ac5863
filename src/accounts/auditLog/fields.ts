import { GraphQLJSONObject } from 'graphql-scalars';
import { ArgsType, ObjectType } from 'type-graphql';
import { connectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { Filters, paged } from '../../schema/list';
import { Count, choice, Moment, Reference, Text, Value } from '../../schema/shapes';
import { AUDIT_ACTIONS } from './actions';

const ACTIONS = Object.keys(AUDIT_ACTIONS);

const AuditActor = choice(
  'AuditActor',
  'Who acts: a key of the merchant, a session in a browser, an operator, somebody in the Temporal UI, a payer, or we',
  'key',
  'session',
  'operator',
  'temporal',
  'payer',
  'system',
);

@ObjectType({ description: 'Something that somebody did, which is never changed afterwards' })
export class AuditEntry {
  @Text('Unique identifier', { example: '42' })
  id!: string;
  @Moment('When')
  creation_date!: Date;
  @Text('What was done', { values: ACTIONS, example: 'key.rotated' })
  action!: string;
  @Text('What that means', { example: AUDIT_ACTIONS['key.rotated'] })
  description!: string;
  @AuditActor.field('Who did it')
  actor!: keyof typeof AuditActor.words;
  @Text('Which key or session, or what is known of whoever it was', { nullable: true, example: 'c9s8d7f6g5h4j3k2l1q0' })
  actor_id!: string | null;
  @Text('What it was done to', { nullable: true, example: 'c9s8d7f6g5h4j3k2l1q0' })
  object_id!: string | null;
  @Text('From which address', { nullable: true, example: '203.0.113.7' })
  address!: string | null;
  @Text('With which request', { nullable: true })
  request_id!: string | null;
  @Value('What was before, as far as it changed and is no secret', () => GraphQLJSONObject, { nullable: true })
  before!: Record<string, unknown> | null;
  @Value('What is since, as far as it changed and is no secret', () => GraphQLJSONObject, { nullable: true })
  after!: Record<string, unknown> | null;
  @Count('Its place in the chain; null for the moment before it has one', { nullable: true, example: 42 })
  number!: number | null;
  @Text('A hash of it and of the hash before it, in hex', { nullable: true, example: '9f86d081884c7d65' })
  hash!: string | null;
}

@ArgsType()
class AuditFilters extends Filters {
  @Text('Of this kind', { optional: true, max: 50, values: ACTIONS })
  action?: string;
  @Text('About this object', { optional: true, max: 45 })
  object_id?: string;
  @Text('By this key or person', { optional: true, max: 100 })
  actor_id?: string;
}

@ArgsType()
export class AuditPage extends paged(AuditFilters) {}

@ArgsType()
export class AuditWindow extends cursorPaged(AuditFilters) {}

@ArgsType()
export class OperatorAuditPage extends AuditPage {
  @Reference('Of this merchant', { optional: true, max: 45 })
  merchant_id?: string;
}

@ArgsType()
export class OperatorAuditWindow extends AuditWindow {
  @Reference('Of this merchant', { optional: true, max: 45 })
  merchant_id?: string;
}

@ObjectType({ description: 'A window on an audit log, newest first' })
export class AuditEntryConnection extends connectionOf(AuditEntry) {}
