/** Filters lists by a pair of metadata, which the address has as a line, such as `canal: web`. */
import type { Filter } from '../lists/definition';
import { type Metadata, readText } from './text';
import { t } from './texts';

export const metadataFilter: Filter = { key: 'metadata', name: t.title, kind: 'pair' };

/** An address may have been changed by hand. */
export const metadataIn = (value: string | undefined): Metadata | undefined =>
  value === undefined ? undefined : (readText(value) ?? { [value]: '' });
