/** The parts of the page that are shown, and the place in the reference. */
import { effect, signal } from '@preact/signals';

/** Narrow screens show one pane at a time. */
export const PANES = ['side', 'operation', 'answer'] as const;
export const pane = signal<(typeof PANES)[number]>('operation');
// At once, because only a visible editor can have the focus.
effect(() => {
  document.body.dataset.pane = pane.value;
});

export const SIDE_VIEWS = ['reference', 'samples', 'history'] as const;
export type SideView = (typeof SIDE_VIEWS)[number];
export const sideView = signal<SideView>('samples');

export interface Place {
  type?: string | undefined;
  field?: string | undefined;
}

/** The place that is shown is the last one. */
export const visited = signal<readonly Place[]>([]);
export const searched = signal('');
/** The element of the reference that takes the focus when it is rendered. */
export const focusRequest = signal<'page' | 'search' | undefined>(undefined);

export function goTo(place: Place): void {
  searched.value = '';
  visited.value = [...visited.value, place];
  focusRequest.value = 'page';
}

export function goBack(): void {
  visited.value = visited.value.slice(0, -1);
}

function showReference(): void {
  sideView.value = 'reference';
  pane.value = 'side';
}

export function showInReference(type?: string, field?: string): void {
  showReference();
  goTo({ type, field });
}

export function searchReference(): void {
  showReference();
  focusRequest.value = 'search';
}
