/** Rejects large documents before validation, which compares each field with every other one. The parser limits tokens. */
import { type DocumentNode, type FieldNode, Kind, type SelectionSetNode, visit } from 'graphql';
import { ApiError } from '../../platform/errors';

export const MAX_TOKENS = 2000;
const MAX_LEVELS = 16;
const maxima = { fields: 500, aliases: 100, fragments: 100, directives: 50 };

const isIntrospection = ({ name }: FieldNode): boolean => name.value === '__schema' || name.value === '__type';

const small = new WeakSet<DocumentNode>();

export function rejectLarge(document: DocumentNode): void {
  if (small.has(document)) return;
  const counts = { fields: 0, aliases: 0, fragments: 0, directives: 0 };
  let introspections = 0;
  visit(document, {
    Field: field => {
      counts.fields++;
      if (field.alias) counts.aliases++;
      if (isIntrospection(field)) introspections++;
    },
    FragmentSpread: () => void counts.fragments++,
    InlineFragment: () => void counts.fragments++,
    Directive: () => void counts.directives++,
  });
  for (const name of Object.keys(maxima) as (keyof typeof maxima)[])
    if (counts[name] > maxima[name])
      throw new ApiError('malformed', 'document_counts', { count: counts[name], kind: name, max: maxima[name] });
  if (introspections > 1) throw new ApiError('malformed', 'document_introspections', { count: introspections });
  // They could ask for the largest type over and over.
  if (introspections > 0 && counts.aliases > 0) throw new ApiError('malformed', 'introspection_aliases');
  const levels = countLevels(document);
  if (levels > MAX_LEVELS) throw new ApiError('malformed', 'document_levels', { levels, max: MAX_LEVELS });
  small.add(document);
}

/** Measures each fragment once. A recursive spread counts 0; validation rejects it. */
function countLevels({ definitions }: DocumentNode): number {
  const fragments = new Map(
    definitions.flatMap(definition =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );
  const measured = new Map<string, number>();
  const levelsOfFragment = (name: string): number => {
    const known = measured.get(name);
    if (known !== undefined) return known;
    measured.set(name, 0);
    const levels = levelsOf(fragments.get(name)?.selectionSet);
    measured.set(name, levels);
    return levels;
  };
  const levelsOf = (set: SelectionSetNode | undefined): number =>
    Math.max(
      0,
      ...(set?.selections ?? []).map(selection => {
        if (selection.kind === Kind.FRAGMENT_SPREAD) return levelsOfFragment(selection.name.value);
        if (selection.kind === Kind.INLINE_FRAGMENT) return levelsOf(selection.selectionSet);
        return 1 + levelsOf(selection.selectionSet);
      }),
    );
  return Math.max(
    ...definitions.map(definition => ('selectionSet' in definition ? levelsOf(definition.selectionSet) : 0)),
  );
}
