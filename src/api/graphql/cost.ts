/** The cost of an operation: the maximum number of fields in its response. Large scalars count as several fields. */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  type InlineFragmentNode,
  isCompositeType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  type ValueNode,
} from 'graphql';
import { ApiError } from '../../platform/errors';
import { DEFAULT_RECORDS, MAX_RECORDS } from '../../schema/connections/window';
import { introspectionSizes, listSizes } from './listSizes';

const MAX_COST_FIELDS = 25_000;

export interface RequestCost {
  requested: number;
  maximum: number;
}

/** The cost of a document that was rejected before it was computed. */
export const NO_COST: RequestCost = { requested: 0, maximum: MAX_COST_FIELDS };

/** Assumed size of a list without a known size. */
const UNKNOWN_LIST_SIZE = 100;
/** Share of introspected types that are wrapped (non-null, list) and select the wrapped type. */
const WRAPPED_TYPES = 0.5;
const PAGE_ARGUMENTS = ['first', 'last', 'limit', 'periods'];

/** Counting records takes about as long as reading this many fields. */
const COUNT_COST_FIELDS = 100;
const COUNTS = ['totalCount', 'totalCountIsExact'];

/** Scalars as large as a whole record. */
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
  if (requested > maximum) throw new ApiError('malformed', 'document_cost', { requested, max: maximum });
}

class CostCounter {
  private readonly fragments: Map<string, FragmentDefinitionNode>;
  /** Caches the cost of fragments: fragments that spread each other would otherwise take exponential time. */
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

  /** `pageSize` is the size of a connection's list, from its arguments. A union counts all of its alternatives. */
  count(set: SelectionSetNode | undefined, type: GraphQLNamedType | null | undefined, pageSize?: number): number {
    if (!set || !isCompositeType(type)) return 0;
    return set.selections.reduce((sum, selection) => {
      if (selection.kind === Kind.FRAGMENT_SPREAD)
        return sum + this.countFragment(selection.name.value, type, pageSize);
      if (selection.kind === Kind.INLINE_FRAGMENT)
        return sum + this.count(selection.selectionSet, this.narrowed(type, selection), pageSize);
      return sum + this.countField(selection, type, pageSize);
    }, 0);
  }

  private countFragment(name: string, type: GraphQLCompositeType, pageSize: number | undefined): number {
    const key = `${name} ${pageSize}`;
    const fragment = this.fragments.get(name);
    const cost =
      this.fragmentCosts.get(key) ?? this.count(fragment?.selectionSet, this.narrowed(type, fragment), pageSize);
    this.fragmentCosts.set(key, cost);
    return cost;
  }

  /** Every fragment on a union counts, although only one can apply. */
  private narrowed(
    type: GraphQLCompositeType,
    fragment: FragmentDefinitionNode | InlineFragmentNode | undefined,
  ): GraphQLNamedType | undefined {
    const condition = fragment?.typeCondition?.name.value;
    return isObjectType(type) || condition === undefined ? type : this.schema.getType(condition);
  }

  private countField(node: FieldNode, parent: GraphQLCompositeType, pageSize: number | undefined): number {
    const field = this.fieldOf(node.name.value, parent);
    // __typename
    if (!field) return 1;
    const place = `${parent.name}.${field.name}`;
    const type = getNamedType(field.type);
    const requested = this.requestedRecords(node, field);
    const own = 1 + Number(field.extensions.complexity ?? 0);
    if (isListType(getNullableType(field.type))) {
      const size = requested ?? pageSize ?? this.sizeOf(place);
      return node.selectionSet ? own + size * this.count(node.selectionSet, type) : size;
    }
    if (!node.selectionSet) return this.countLeaf(type, place);
    return own + this.count(node.selectionSet, type, requested) * (place === '__Type.ofType' ? WRAPPED_TYPES : 1);
  }

  private sizeOf(place: string): number {
    if (place.startsWith('__')) return introspectionSizes(this.schema)[place] ?? UNKNOWN_LIST_SIZE;
    return listSizes[place] ?? UNKNOWN_LIST_SIZE;
  }

  private countLeaf(type: GraphQLNamedType, place: string): number {
    if (isDocument(type, place)) return DOCUMENT_COST_FIELDS;
    return COUNTS.some(name => place.endsWith(`Connection.${name}`)) ? COUNT_COST_FIELDS : 1;
  }

  private fieldOf(name: string, parent: GraphQLCompositeType): GraphQLField<unknown, unknown> | undefined {
    if (parent === this.schema.getQueryType() && name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
    if (parent === this.schema.getQueryType() && name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
    return 'getFields' in parent ? parent.getFields()[name] : undefined;
  }

  /** Undefined for a field without page arguments. */
  private requestedRecords(
    { arguments: provided = [] }: FieldNode,
    field: GraphQLField<unknown, unknown>,
  ): number | undefined {
    const pageArguments = field.args.filter(({ name }) => PAGE_ARGUMENTS.includes(name));
    if (pageArguments.length === 0) return undefined;
    const given = pageArguments.flatMap(argument => {
      const node = provided.find(({ name }) => name.value === argument.name)?.value;
      const number = node && this.readNumber(node);
      return number === undefined || number === null ? (argument.defaultValue ?? []) : number;
    });
    return given.length === 0 ? DEFAULT_RECORDS : Math.max(...given.map(toRecords));
  }

  /** Undefined or null if there is no value. */
  private readNumber(node: ValueNode): unknown {
    if (node.kind === Kind.NULL) return null;
    if (node.kind === Kind.VARIABLE) return this.readVariable(node.name.value);
    return node.kind === Kind.INT ? Number(node.value) : NaN;
  }

  private readVariable(name: string): unknown {
    this.hasReadVariables = true;
    const { variableDefinitions = [] } = this.operation;
    const defaultValue = variableDefinitions.find(({ variable }) => variable.name.value === name)?.defaultValue;
    if (this.variables[name] !== undefined || defaultValue?.kind !== Kind.INT) return this.variables[name];
    return Number(defaultValue.value);
  }
}

/** Invalid numbers count as the maximum. */
const toRecords = (number: unknown): number =>
  typeof number === 'number' && number >= 1 && number <= MAX_RECORDS ? number : MAX_RECORDS;
