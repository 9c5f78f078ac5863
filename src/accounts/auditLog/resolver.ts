import { Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../schema/operation/context';
import { FullKey, Operators } from '../../schema/operation/guard';
import { AUDIT_ACTIONS } from './actions';
import {
  AUDIT_ACTION_WORDS,
  AuditArgs,
  AuditConnectionArgs,
  AuditEntry,
  AuditEntryConnection,
  OperatorAuditArgs,
} from './fields';
import { auditConnection, listAuditLog } from './list';

@Resolver(() => AuditEntry)
export class AuditLogResolver {
  @Query(() => [AuditEntry], { description: 'Audit log entries, newest first' })
  @FullKey()
  async auditLog(@Ctx() context: Context, @Args(() => AuditArgs) page: AuditArgs): Promise<AuditEntry[]> {
    return (await listAuditLog(context, context.merchant_id, page)).map(forMerchants);
  }

  @Query(() => AuditEntryConnection, { description: 'Audit log entries, newest first' })
  @FullKey()
  async auditLogConnection(
    @Ctx() context: Context,
    @Args(() => AuditConnectionArgs) window: AuditConnectionArgs,
  ): Promise<AuditEntryConnection> {
    return auditConnection(context, context.merchant_id, window, forMerchants);
  }

  @Query(() => AuditEntryConnection, {
    description: 'For operators: audit log entries of one merchant or of all, newest first',
  })
  @Operators('read')
  async operatorAuditLog(
    @Ctx() context: Context,
    @Args(() => OperatorAuditArgs) { merchant_id, ...window }: OperatorAuditArgs,
  ): Promise<AuditEntryConnection> {
    return auditConnection(context, merchant_id, window);
  }

  @FieldResolver(() => AUDIT_ACTION_WORDS, {
    nullable: true,
    description: 'Action; null if it was added by a later release than the server',
  })
  action(@Root() { action }: AuditEntry): string | null {
    return Object.hasOwn(AUDIT_ACTIONS, action) ? action : null;
  }

  @FieldResolver(() => String, { description: 'Name of the action in REST, such as key.rotated' })
  name(@Root() { action }: AuditEntry): string {
    return action;
  }
}

/** Merchants do not see the address of an operator. */
const forMerchants = (entry: AuditEntry): AuditEntry =>
  entry.actor === 'operator' ? { ...entry, address: null, request_id: null } : entry;
