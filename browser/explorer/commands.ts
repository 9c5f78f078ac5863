/** Commands that concern the editor of the operation. */
import type { EditorView } from '@codemirror/view';
import type { Draft } from './storage';
import { pane } from './view';
import { openTab, runCurrent } from './workspace';

export const queryView: { current: EditorView | undefined } = { current: undefined };

export function openDraft(draft: Draft): void {
  openTab(draft);
  pane.value = 'operation';
  queryView.current?.focus();
}

export function run(): void {
  runCurrent(queryView.current?.state.selection.main.head ?? 0);
  pane.value = 'answer';
}
