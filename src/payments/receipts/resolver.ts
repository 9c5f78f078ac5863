import { Ctx, Query, Resolver } from 'type-graphql';
import { ApiError } from '../../platform/errors';
import { CustomerId, Id, type OwnerId } from '../../schema/arguments';
import type { Context } from '../../schema/operation/context';
import { AllowCustomerSession } from '../../schema/operation/guard';
import { findCharge } from '../charges/resolver';
import { Receipt } from './fields';
import { hasReceipt } from './receipt';
import { receiptCode, receiptUrl } from './token';

@Resolver()
export class ReceiptResolver {
  @Query(() => Receipt, { description: 'Retrieves the receipt of a paid charge; 3006 for a charge that is not paid' })
  @AllowCustomerSession()
  async receipt(
    @Ctx() context: Context,
    @Id('transaction_id', 'transaction', 'Charge ID') transaction_id: string,
    @CustomerId() customer_id?: OwnerId,
  ): Promise<Receipt> {
    const charge = await findCharge(context, transaction_id, customer_id);
    if (!hasReceipt(charge)) throw new ApiError('not_allowed', 'no_receipt');
    const { publicUrl, vault } = context;
    const url = receiptUrl(publicUrl, vault.linking, charge);
    return { url, pdf_url: `${url}.pdf`, code: receiptCode(vault.linking, charge) };
  }
}
