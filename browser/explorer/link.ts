/** Operations in the fragment of a link, which browsers do not send. They are shown but not run. */
import type { GraphQLSchema } from 'graphql';
import { draftOf, OPERATIONS } from './operations';
import type { Draft } from './storage';

/** Removes the fragment from the address, so that a reload does not open the operation again. */
function takeFragment(name: string): URLSearchParams | undefined {
  const fragment = new URLSearchParams(location.hash.slice(1));
  if (!fragment.get(name)) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return fragment;
}

/** `#query=…&variables=…`: a text. */
export function takeLinked(): Draft | undefined {
  const fragment = takeFragment('query');
  return fragment && { query: fragment.get('query') ?? '', variables: fragment.get('variables') ?? '' };
}

/** `#field=createCharge&argument=customer_id`: a draft of an operation, with these optional arguments. */
export function takeLinkedField(schema: GraphQLSchema): Draft | undefined {
  const fragment = takeFragment('field');
  for (const operation of fragment ? OPERATIONS : []) {
    const field = schema.getRootType(operation)?.getFields()[fragment?.get('field') ?? ''];
    if (field) return draftOf(operation, field, fragment?.getAll('argument'));
  }
  return undefined;
}
