/**
 * The cost of an operation, before it runs: how many fields its answer may have. A list counts its fields for every
 * record that may come, and what holds a whole document counts as several fields.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql';
import { ApiError } from '../../platform/errors';
import { listSizes } from './listSizes';

export interface RequestCost {
  requested: number;
  maximum: number;
}

const MAX_COST_FIELDS = 20_000;
/** More than any list answers; also for a number that is not valid. */
const MAX_RECORDS = 1000;
/** A list that nobody has thought of is taken for a long one. */
const UNKNOWN_LIST_SIZE = 100;
/** Types in introspection are wrapped (non-null, list) in one of two cases, and ask for what is wrapped. */
const WRAPPED_TYPES = 0.6;
const PAGE_ARGUMENTS = ['first', 'limit', 'periods'];

/** Scalars that hold as much as a whole record. */
const DOCUMENT_COST_FIELDS = 10;
const isDocument = (type: GraphQLNamedType, place: string): boolean =>
  type.name === 'JSONObject' || type.name === 'Metadata' || place === 'DeliveryRequest.body';

/** Costs that do not depend on variables. Apollo caches documents, so a repeated one is the same object. */
const costCache = new WeakMap<OperationDefinitionNode, number>();

export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): RequestCost {
  const requested = costCache.get(operation) ?? countCost();
  return { requested, maximum: MAX_COST_FIELDS };

  function countCost(): number {
    const counter = new CostCounter(schema, document, operation, variables);
    const cost = Math.ceil(counter.count(operation.selectionSet, schema.getRootType(operation.operation)));
    if (!counter.hasReadVariables) costCache.set(operation, cost);
    return cost;
  }
}

export function rejectCostly({ requested, maximum }: RequestCost): void {
  if (requested > maximum)
    throw new ApiError('malformed', `The document asks for ${requested} fields, more than ${maximum}`);
}

class CostCounter {
  private readonly fragments: Map<string, FragmentDefinitionNode>;
  /** Each fragment is counted once: fragments that spread each other would otherwise take exponential time. */
  private readonly fragmentCosts = new Map<string, number>();
  hasReadVariables = false;

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    private readonly operation: OperationDefinitionNode,
    private readonly variables: Record<string, unknown>,
  ) {
    const fragments = document.definitions.filter(definition => definition.kind === Kind.FRAGMENT_DEFINITION);
    this.fragments = new Map(fragments.map(fragment => [fragment.name.value, fragment]));
  }

  /** `pageSize` where the arguments of the object itself say how long its list may be, as those of a connection do. */
  count(set: SelectionSetNode | undefined, type: GraphQLNamedType | null | undefined, pageSize?: number): number {
    if (!set || !isObjectType(type)) return 0;
    return set.selections.reduce((sum, selection) => {
      if (selection.kind === Kind.FRAGMENT_SPREAD)
        return sum + this.countFragment(selection.name.value, type, pageSize);
      if (selection.kind === Kind.INLINE_FRAGMENT) return sum + this.count(selection.selectionSet, type, pageSize);
      return sum + this.countField(selection, type, pageSize);
    }, 0);
  }

  private countFragment(name: string, type: GraphQLObjectType, pageSize: number | undefined): number {
    const key = `${name} ${pageSize}`;
    const cost = this.fragmentCosts.get(key) ?? this.count(this.fragments.get(name)?.selectionSet, type, pageSize);
    this.fragmentCosts.set(key, cost);
    return cost;
  }

  private countField(node: FieldNode, parent: GraphQLObjectType, pageSize: number | undefined): number {
    const field = this.fieldOf(node.name.value, parent);
    // __typename
    if (!field) return 1;
    const place = `${parent.name}.${field.name}`;
    const type = getNamedType(field.type);
    const requested = this.requestedRecords(node, field);
    if (isListType(getNullableType(field.type))) {
      const size = requested ?? pageSize ?? listSizes[place] ?? UNKNOWN_LIST_SIZE;
      return node.selectionSet ? 1 + size * this.count(node.selectionSet, type) : size;
    }
    if (!node.selectionSet) return isDocument(type, place) ? DOCUMENT_COST_FIELDS : 1;
    return 1 + this.count(node.selectionSet, type, requested) * (place === '__Type.ofType' ? WRAPPED_TYPES : 1);
  }

  private fieldOf(name: string, parent: GraphQLObjectType): GraphQLField<unknown, unknown> | undefined {
    if (parent === this.schema.getQueryType() && name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
    if (parent === this.schema.getQueryType() && name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
    return parent.getFields()[name];
  }

  /** Undefined for a field that takes no such number. */
  private requestedRecords(
    { arguments: provided = [] }: FieldNode,
    field: GraphQLField<unknown, unknown>,
  ): number | undefined {
    const argument = field.args.find(({ name }) => PAGE_ARGUMENTS.includes(name));
    if (!argument) return undefined;
    const value = provided.find(({ name }) => name.value === argument.name)?.value;
    const usual = argument.defaultValue ?? MAX_RECORDS;
    if (value === undefined || value.kind === Kind.NULL) return toRecords(usual);
    if (value.kind === Kind.VARIABLE) return toRecords(this.readVariable(value.name.value) ?? usual);
    return toRecords(value.kind === Kind.INT ? Number(value.value) : undefined);
  }

  private readVariable(name: string): unknown {
    this.hasReadVariables = true;
    const { variableDefinitions = [] } = this.operation;
    const defaultValue = variableDefinitions.find(({ variable }) => variable.name.value === name)?.defaultValue;
    if (this.variables[name] !== undefined || defaultValue?.kind !== Kind.INT) return this.variables[name];
    return Number(defaultValue.value);
  }
}

/** A number that is not valid counts as the maximum. */
const toRecords = (number: unknown): number =>
  typeof number === 'number' && number >= 1 && number <= MAX_RECORDS ? number : MAX_RECORDS;
