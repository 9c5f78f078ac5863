import { GraphQLJSONObject } from 'graphql-scalars';
import { ArgsType, ObjectType } from 'type-graphql';
import { connectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { dottedEnum } from '../../schema/enums/dottedEnum';
import { Filters, paged } from '../../schema/list';
import { Count, choice, Moment, Text, Value } from '../../schema/shapes';
import { AUDIT_ACTIONS } from './actions';

const ACTIONS = Object.keys(AUDIT_ACTIONS);

export const AUDIT_ACTION_WORDS = dottedEnum(
  'AuditAction',
  'Action of the audit log: its name in REST, with _ for dots. New actions may be added',
  AUDIT_ACTIONS,
);

const AuditActor = choice(
  'AuditActor',
  'Kind of actor: an API key of the merchant, a browser session, an operator, a user of the Temporal UI, a payer, or the system itself',
  'key',
  'session',
  'operator',
  'temporal',
  'payer',
  'system',
);

@ObjectType({ description: 'An immutable record of an action' })
export class AuditEntry {
  @Text('Unique identifier', { example: '42' })
  id!: string;
  @Moment('Date and time')
  creation_date!: Date;
  @Text('Action', { values: ACTIONS, untyped: true, example: 'key.rotated' })
  action!: string;
  @Text('Description of the action', { example: AUDIT_ACTIONS['key.rotated'] })
  description!: string;
  @AuditActor.field('Kind of actor')
  actor!: keyof typeof AuditActor.words;
  @Text('ID of the key or session, or the known identity of the actor', {
    nullable: true,
    example: 'c9s8d7f6g5h4j3k2l1q0',
  })
  actor_id!: string | null;
  @Text('ID of the object', { nullable: true, example: 'c9s8d7f6g5h4j3k2l1q0' })
  object_id!: string | null;
  @Text('IP address of the actor', { nullable: true, example: '203.0.113.7' })
  address!: string | null;
  @Text('Request ID', { nullable: true })
  request_id!: string | null;
  @Value('Changed values before the action, without secrets', () => GraphQLJSONObject, { nullable: true })
  before!: Record<string, unknown> | null;
  @Value('Changed values after the action, without secrets', () => GraphQLJSONObject, { nullable: true })
  after!: Record<string, unknown> | null;
  @Count('Position in the hash chain; null until it is sealed', { nullable: true, example: 42 })
  number!: number | null;
  @Text('Hash of the entry and of the previous hash, in hex', { nullable: true, example: '9f86d081884c7d65' })
  hash!: string | null;
}

const ACTION_FILTER = { optional: true, max: 50, values: ACTIONS };

function auditFilters(Action: PropertyDecorator) {
  @ArgsType()
  class AuditFilters extends Filters {
    @Action
    action?: string;
    @Text('ID of the object', { optional: true, max: 45 })
    object_id?: string;
    @Text('ID of the actor', { optional: true, max: 100 })
    actor_id?: string;
  }
  return AuditFilters;
}

@ArgsType()
export class AuditArgs extends paged(auditFilters(Text('Action', ACTION_FILTER))) {}

@ArgsType()
export class AuditConnectionArgs extends cursorPaged(
  auditFilters(Text('Action', { ...ACTION_FILTER, words: AUDIT_ACTION_WORDS })),
) {}

@ArgsType()
export class OperatorAuditArgs extends AuditConnectionArgs {
  @Text('Merchant ID', { optional: true, max: 45 })
  merchant_id?: string;
}

@ObjectType({ description: 'A page of audit log entries, newest first' })
export class AuditEntryConnection extends connectionOf(AuditEntry) {}
