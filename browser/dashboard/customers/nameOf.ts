import { ask } from '../../shared/api/ask';
import { graphql } from '../../shared/api/graphql';
import { fullName } from '../ui/names';

const NAME = graphql(`query CustomerName($id: ID!) { customer(customer_id: $id) { name last_name } }`);

/** Undefined if the customer does not exist or was deleted. */
export async function customerNameOf(id: string, signal: AbortSignal): Promise<string | undefined> {
  const { customer } = await ask(NAME, { id }, { signal, optionalFields: ['customer'] });
  return customer ? fullName(customer) : undefined;
}
