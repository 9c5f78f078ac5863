import { getMetadataStorage } from 'type-graphql';
import type { Class } from '../../schema/shapes';

/** The arguments and the result of a root field, from type-graphql's metadata. */
export function fieldMetadataOf(name: string) {
  const { queries, mutations } = getMetadataStorage();
  const metadata = [...queries, ...mutations].find(({ schemaName }) => schemaName === name);
  if (!metadata) throw new Error(`unknown field ${name}`);
  const params = metadata.params ?? [];
  const filters = params.flatMap(param => (param.kind === 'args' ? [param.getType() as Class] : []))[0];
  const inputs = new Map(
    params.flatMap(param => (param.kind === 'arg' ? [[param.name, param.getType() as Class] as const] : [])),
  );
  return {
    filters,
    inputs,
    answer: metadata.getReturnType() as Class,
    isList: metadata.returnTypeOptions.array === true,
    description: metadata.description,
  };
}
