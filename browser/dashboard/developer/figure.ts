import { signal } from '@preact/signals';
import { type SentQuery, sentQueries } from '../../shared/api/ask';
import { overlay } from '../shell/overlays';
import { narrow } from './narrow';

interface ShownFigure extends Pick<SentQuery, 'path' | 'query' | 'variables'> {
  name: string;
}

export const figure = signal<ShownFigure | undefined>(undefined);

/** The latest query of this screen, reduced to the response paths of the figure. */
export function showQuery(name: string, fields: readonly string[]): void {
  const path = location.pathname;
  const [narrowed] = sentQueries.value.flatMap(sent => (sent.path === path && narrow(sent, fields)) || []);
  figure.value = narrowed && { name, path, ...narrowed };
  overlay.value = 'developer';
}
