import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { COST_PER_WEIGHT, type RequestSize } from '../admission/requestSize';
import type { RequestCost } from './cost';
import { mutationFields, rootFields } from './rootFields';

/** The rate-limit cost of an operation in addition to its request, because a document may have many fields. */
export function furtherSizes(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  { requested }: RequestCost,
): RequestSize[] {
  const fields = schema.getMutationType()?.getFields() ?? {};
  const mutations = mutationFields({ document, operation });
  const cards = mutations.filter(name => fields[name]?.extensions.cardRateLimit).length;
  const sizes: RequestSize[] = [
    { requestClass: 'card', weight: cards },
    { requestClass: 'write', weight: mutations.length - cards - 1 },
    {
      requestClass: mutations.length > 0 ? 'write' : 'read',
      weight: Math.floor(requested / COST_PER_WEIGHT),
      computedWeight: Math.floor(complexityOf(schema, document, operation) / COST_PER_WEIGHT),
    },
  ];
  return sizes.filter(({ weight }) => weight > 0);
}

function complexityOf(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): number {
  const fields = schema.getRootType(operation.operation)?.getFields() ?? {};
  return rootFields(document, operation).reduce(
    (sum, { name }) => sum + Number(fields[name.value]?.extensions.complexity ?? 0),
    0,
  );
}
