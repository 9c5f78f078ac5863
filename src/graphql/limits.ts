/** What a document may ask for, counted before anything runs. The number of tokens is limited by the parser itself. */
import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql';
import { ApiError } from '../errors';

export const MOST_TOKENS = 2000;
const DEEPEST = 12;
const DEAREST = 20_000;

interface Size {
  depth: number;
  cost: number;
}

export function refuseTooMuch(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): void {
  const { depth, cost } = new Scale(document, variables).weigh(operation.selectionSet);
  if (depth > DEEPEST) throw new ApiError('malformed', `The document is nested deeper than ${DEEPEST} levels`);
  if (cost > DEAREST) throw new ApiError('malformed', `The document asks for ${cost} fields, more than ${DEAREST}`);
}

/** A field costs one, and what is below a list once for every record that is asked for. */
class Scale {
  private readonly fragments: Map<string, FragmentDefinitionNode>;
  /** Each fragment is weighed once: spread in one another they would otherwise take forever. */
  private readonly weighed = new Map<string, Size>();

  constructor(
    document: DocumentNode,
    private readonly variables: Record<string, unknown>,
  ) {
    const fragments = document.definitions.filter(definition => definition.kind === 'FragmentDefinition');
    this.fragments = new Map(fragments.map(fragment => [fragment.name.value, fragment]));
  }

  weigh(set: SelectionSetNode | undefined): Size {
    const sizes = (set?.selections ?? []).map(selection => {
      if (selection.kind === 'FragmentSpread') return this.weighFragment(selection.name.value);
      if (selection.kind === 'InlineFragment') return this.weigh(selection.selectionSet);
      // Introspection has a size of its own, and is off in production.
      if (selection.name.value.startsWith('__')) return { depth: 0, cost: 0 };
      const inner = this.weigh(selection.selectionSet);
      return { depth: inner.depth + 1, cost: 1 + inner.cost * this.wanted(selection) };
    });
    return {
      depth: Math.max(0, ...sizes.map(({ depth }) => depth)),
      cost: sizes.reduce((sum, { cost }) => sum + cost, 0),
    };
  }

  private weighFragment(name: string): Size {
    const known = this.weighed.get(name);
    if (known) return known;
    this.weighed.set(name, { depth: 0, cost: 0 });
    const size = this.weigh(this.fragments.get(name)?.selectionSet);
    this.weighed.set(name, size);
    return size;
  }

  private wanted({ arguments: args = [] }: FieldNode): number {
    const argument = args.find(({ name }) => name.value === 'first' || name.value === 'limit')?.value;
    if (argument?.kind === 'IntValue') return Number(argument.value);
    if (argument?.kind === 'Variable') return Number(this.variables[argument.name.value]) || 10;
    return 1;
  }
}
