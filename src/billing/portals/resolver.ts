import { Ctx, Mutation, Resolver } from 'type-graphql';
import { parseWebUrl } from '../../payments/charges/pending/redirectUrl';
import { findCustomer } from '../../payments/customers/rows';
import { ApiError } from '../../platform/errors';
import { Body, Id } from '../../schema/arguments';
import type { Context } from '../../schema/operation/context';
import { RequiresActiveMerchant } from '../../schema/operation/guard';
import { CreateCustomerPortal, CustomerPortal, MAX_RETURN_URL_LENGTH } from './fields';
import { openPortal } from './rows';
import { portalExpiry, portalUrl } from './token';

@Resolver()
export class CustomerPortalResolver {
  @Mutation(() => CustomerPortal, {
    description: 'Returns a link to the portal of a customer, on which the customer sees its subscriptions and cards',
  })
  @RequiresActiveMerchant()
  async createCustomerPortal(
    @Ctx() context: Context,
    @Id('customer_id', 'customer') customer_id: string,
    @Body('portal', () => CreateCustomerPortal, 'The link') { return_url }: CreateCustomerPortal,
  ): Promise<CustomerPortal> {
    const { db, publicUrl, vault } = context;
    await findCustomer(context, customer_id);
    const back = return_url === undefined ? undefined : requireReturnUrl(return_url);
    await openPortal(db, customer_id);
    const expires_at = portalExpiry();
    return { url: portalUrl(publicUrl, vault.linking, { customer_id, expires_at, return_url: back }), expires_at };
  }
}

function requireReturnUrl(text: string): string {
  const url = parseWebUrl(text);
  if (!url?.startsWith('https:')) throw new ApiError('invalid_value', 'not_https_address', { field: 'return_url' });
  if (url.length > MAX_RETURN_URL_LENGTH)
    throw new ApiError('malformed', 'text_too_long', { field: 'return_url', max: MAX_RETURN_URL_LENGTH });
  return url;
}
