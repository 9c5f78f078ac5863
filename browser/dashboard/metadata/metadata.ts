/** Metadata in dialogs: a line per pair, or JSON if a pair does not fit on a line. */
import { Problem } from '../../shared/api/ask';
import type { Field, Values } from '../../shared/ui/FieldInput';
import { isLine, type Metadata, readText, toText } from './text';
import { t } from './texts';

export const metadataField = (current?: Metadata | null): Field => ({
  name: 'metadata',
  label: t.optional,
  type: 'textarea',
  value: toText(current ?? {}),
  hint: Object.entries(current ?? {}).every(isLine) ? t.hint : t.jsonHint,
  isOptional: true,
});

/** For a change: undefined if the text is as it was, and null if it was emptied. */
export function metadataOf({ metadata = '' }: Values, current?: Metadata | null): Metadata | null | undefined {
  const text = metadata.replaceAll('\r\n', '\n');
  if (text === toText(current ?? {})) return undefined;
  if (text === '') return null;
  const read = readText(text);
  if (!read) throw new Problem(t.invalid, undefined, undefined, 'metadata');
  return read;
}
