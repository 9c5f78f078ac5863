import { Args, Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../context';
import { FullKey, Operators } from '../schema/guard';
import { AuditEntry, AuditPage, OperatorAuditPage } from './fields';
import { listAuditLog } from './list';

@Resolver()
export class AuditLogResolver {
  @Query(() => [AuditEntry], { description: 'Who did what, newest first' })
  @FullKey()
  async auditLog(@Ctx() context: Context, @Args(() => AuditPage) page: AuditPage): Promise<AuditEntry[]> {
    const entries = await listAuditLog(context, context.merchant_id, page);
    // From where an operator works is not told to merchants.
    return entries.map(entry => (entry.actor === 'operator' ? { ...entry, address: null, request_id: null } : entry));
  }

  @Query(() => [AuditEntry], { description: 'For operators: who did what, of one merchant or of all, newest first' })
  @Operators('read')
  async operatorAuditLog(
    @Ctx() context: Context,
    @Args(() => OperatorAuditPage) { merchant_id, ...page }: OperatorAuditPage,
  ): Promise<AuditEntry[]> {
    return listAuditLog(context, merchant_id, page);
  }
}
