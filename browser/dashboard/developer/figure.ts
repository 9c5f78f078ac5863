/** The figure whose query the drawer shows. */
import { signal } from '@preact/signals';
import { type Asked, asked } from '../api/ask';
import { overlay } from '../shell/overlays';
import { narrow } from './narrow';

interface ShownFigure extends Pick<Asked, 'path' | 'query' | 'variables'> {
  name: string;
}

export const figure = signal<ShownFigure | undefined>(undefined);

/** As this screen sent it last, and no more of it than the fields that the figure is made of: paths of the answer. */
export function showQuery(name: string, fields: readonly string[]): void {
  const path = location.pathname;
  const [narrowed] = asked.value.flatMap(sent => (sent.path === path && narrow(sent, fields)) || []);
  figure.value = narrowed && { name, path, ...narrowed };
  overlay.value = 'developer';
}
