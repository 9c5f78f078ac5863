/**
 * The editors. Each is in a shadow root: there CodeMirror brings its styles as objects, which the content policy of the
 * page permits, and not as elements, which it does not.
 */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { linter, lintKeymap } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { graphql } from 'cm6-graphql';
import type { GraphQLSchema } from 'graphql';
import { look } from './editorTheme';

interface EditorOptions {
  label: string;
  extensions: Extension[];
  onChange?: (text: string) => void;
}

export interface Editor {
  view: EditorView;
  setText(text: string): void;
}

function createEditor(host: HTMLElement, { label, extensions, onChange }: EditorOptions): Editor {
  const root = host.attachShadow({ mode: 'open' });
  let isSetting = false;
  const state = EditorState.create({
    extensions: [
      look,
      EditorView.contentAttributes.of({ 'aria-label': label }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged && !isSetting) onChange?.(state.doc.toString());
      }),
      ...extensions,
    ],
  });
  const view = new EditorView({ state, parent: root, root });
  const setText = (text: string): void => {
    if (text === view.state.doc.toString()) return;
    isSetting = true;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    isSetting = false;
  };
  return { view, setText };
}

/**
 * Replaces selected lines when text is typed over them. Chromium would do so with inline styles, which violate the
 * content security policy and would be reported in the console.
 */
const typedOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { main } = view.state.selection;
    const isOfOneLine = view.state.doc.lineAt(main.from).to >= main.to;
    if (event.inputType !== 'insertText' || event.data === null || isOfOneLine || view.composing) return false;
    event.preventDefault();
    view.dispatch(view.state.update(view.state.replaceSelection(event.data), { userEvent: 'input.type' }));
    return true;
  },
});

/** Tab leaves the editor, so that everything can be reached by keyboard. */
const typing = (commands: { key: string; run: () => boolean }[]): Extension[] => [
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  autocompletion(),
  EditorView.lineWrapping,
  typedOver,
  keymap.of([
    ...commands,
    ...closeBracketsKeymap,
    ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
    ...historyKeymap,
    ...foldKeymap,
    ...completionKeymap,
    ...lintKeymap,
  ]),
];

interface InputOptions {
  label: string;
  onChange: (text: string) => void;
  run: () => void;
}

const runKey = (run: () => void) => ({
  key: 'Mod-Enter',
  run: () => {
    run();
    return true;
  },
});

interface QueryOptions extends InputOptions {
  schema: GraphQLSchema;
  showInReference: (type?: string, field?: string) => void;
}

export function queryEditor(
  host: HTMLElement,
  { label, onChange, run, schema, showInReference }: QueryOptions,
): Editor {
  const language = graphql(schema, {
    onShowInDocs: (field, type, parent) => showInReference(field && parent ? parent : type, field),
    onCompletionInfoRender: ({ documentation }) =>
      documentation ? Object.assign(document.createElement('p'), { textContent: documentation }) : null,
  });
  const extensions = [lineNumbers(), foldGutter(), ...typing([runKey(run)]), language];
  return createEditor(host, { label, onChange, extensions });
}

export function jsonEditor(host: HTMLElement, { label, onChange, run }: InputOptions): Editor {
  const lint = jsonParseLinter();
  const checks = linter(view => (view.state.doc.toString().trim() ? lint(view) : []));
  const extensions = [...typing([runKey(run)]), json(), checks, placeholder('{ }')];
  return createEditor(host, { label, onChange, extensions });
}

/** Can be focused, to scroll by keyboard, but opens no keyboard on a phone. */
export function answerView(host: HTMLElement, label: string): Editor {
  const extensions = [
    EditorView.editable.of(false),
    EditorState.readOnly.of(true),
    EditorView.contentAttributes.of({ tabindex: '0', 'aria-readonly': 'true' }),
    EditorView.lineWrapping,
    foldGutter(),
    keymap.of([...defaultKeymap, ...foldKeymap]),
    json(),
  ];
  return createEditor(host, { label, extensions });
}
