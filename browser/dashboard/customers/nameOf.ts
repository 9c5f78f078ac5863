import { ask } from '../api/ask';
import { graphql } from '../api/graphql';
import { fullName } from '../ui/names';

const NAME = graphql(`query CustomerName($id: ID!) { customer(customer_id: $id) { name last_name } }`);

/** What a customer is called; undefined where there is none of this id, or none any more. */
export async function customerNameOf(id: string, signal: AbortSignal): Promise<string | undefined> {
  const { customer } = await ask(NAME, { id }, { signal, mayLack: ['customer'] });
  return customer ? fullName(customer) : undefined;
}
