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
  @Query(() => [AuditEntry], { description: 'Who did what, newest first' })
  @FullKey()
  async auditLog(@Ctx() context: Context, @Args(() => AuditPage) page: AuditPage): Promise<AuditEntry[]> {
    return (await listAuditLog(context, context.merchant_id, page)).map(toldToMerchants);
  }

  @Query(() => AuditEntryConnection, { description: 'Who did what by cursor, newest first' })
  @FullKey()
  async auditLogConnection(
    @Ctx() context: Context,
    @Args(() => AuditWindow) window: AuditWindow,
  ): Promise<AuditEntryConnection> {
    return auditConnection(context, context.merchant_id, window, toldToMerchants);
  }

  @Query(() => [AuditEntry], { description: 'For operators: who did what, of one merchant or of all, newest first' })
  @Operators('read')
  async operatorAuditLog(
    @Ctx() context: Context,
    @Args(() => OperatorAuditPage) { merchant_id, ...page }: OperatorAuditPage,
  ): Promise<AuditEntry[]> {
    return listAuditLog(context, merchant_id, page);
  }

  @Query(() => AuditEntryConnection, {
    description: 'For operators: who did what by cursor, of one merchant or of all, newest first',
  })
  @Operators('read')
  async operatorAuditLogConnection(
    @Ctx() context: Context,
    @Args(() => OperatorAuditWindow) { merchant_id, ...window }: OperatorAuditWindow,
  ): Promise<AuditEntryConnection> {
    return auditConnection(context, merchant_id, window);
  }
}

/** From where an operator works is not told to them. */
const toldToMerchants = (entry: AuditEntry): AuditEntry =>
  entry.actor === 'operator' ? { ...entry, address: null, request_id: null } : entry;
