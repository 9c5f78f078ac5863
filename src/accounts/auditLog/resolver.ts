import { Args, Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../../schema/operation/context';
import { FullKey, Operators } from '../../schema/operation/guard';
import {
  AuditEntry,
  AuditEntryConnection,
  AuditPage,
  AuditWindow,
  OperatorAuditPage,
  OperatorAuditWindow,
} from './fields';
import { auditConnection, listAuditLog } from './list';

@Resolver()
export class AuditLogResolver {
  @Query(() => [AuditEntry], { description: 'Audit log entries, newest first' })
  @FullKey()
  async auditLog(@Ctx() context: Context, @Args(() => AuditPage) page: AuditPage): Promise<AuditEntry[]> {
    return (await listAuditLog(context, context.merchant_id, page)).map(forMerchants);
  }

  @Query(() => AuditEntryConnection, { description: 'Audit log entries by cursor, newest first' })
  @FullKey()
  async auditLogConnection(
    @Ctx() context: Context,
    @Args(() => AuditWindow) window: AuditWindow,
  ): Promise<AuditEntryConnection> {
    return auditConnection(context, context.merchant_id, window, forMerchants);
  }

  @Query(() => [AuditEntry], {
    description: 'For operators: audit log entries of one merchant or of all, newest first',
  })
  @Operators('read')
  async operatorAuditLog(
    @Ctx() context: Context,
    @Args(() => OperatorAuditPage) { merchant_id, ...page }: OperatorAuditPage,
  ): Promise<AuditEntry[]> {
    return listAuditLog(context, merchant_id, page);
  }

  @Query(() => AuditEntryConnection, {
    description: 'For operators: audit log entries by cursor, of one merchant or of all, newest first',
  })
  @Operators('read')
  async operatorAuditLogConnection(
    @Ctx() context: Context,
    @Args(() => OperatorAuditWindow) { merchant_id, ...window }: OperatorAuditWindow,
  ): Promise<AuditEntryConnection> {
    return auditConnection(context, merchant_id, window);
  }
}

/** Merchants do not see the address of an operator. */
const forMerchants = (entry: AuditEntry): AuditEntry =>
  entry.actor === 'operator' ? { ...entry, address: null, request_id: null } : entry;
