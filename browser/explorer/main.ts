/** The explorer: puts its parts together and shows what the workspace holds. */
import { buildSchema } from 'graphql';
import { endSession, findSession, type Session } from '../shared/session';
import { divider, themeButton } from './arrange';
import { el, iconButton, tabList } from './dom';
import { answerView, jsonEditor, queryEditor } from './editors';
import { createReference } from './reference';
import { createSide } from './side';
import { signInDialog } from './signInDialog';
import type { Draft } from './storage';
import { language, t } from './texts';
import { nameOf, Workspace } from './workspace';

type Pane = 'side' | 'operation' | 'answer';
type Part = 'variables' | 'headers';

async function loadSchema() {
  const response = await fetch(document.documentElement.dataset.schema ?? '');
  if (!response.ok) throw new Error(`${response.status}`);
  return buildSchema(await response.text(), { assumeValid: true });
}

async function start(): Promise<void> {
  const [schema, { session, isLinkUsed }] = await Promise.all([
    loadSchema(),
    findSession().catch(() => ({ session: undefined, isLinkUsed: false })),
  ]);

  // Narrow screens show one pane at a time.
  const showPane = (pane: Pane): void => {
    document.body.dataset.pane = pane;
    for (const button of panes.querySelectorAll('button'))
      button.setAttribute('aria-pressed', String(button.dataset.pane === pane));
  };
  const openDraft = (draft: Draft): void => {
    workspace.open(draft);
    showPane('operation');
    query.view.focus();
  };
  const run = (): void => {
    workspace.run(query.view.state.selection.main.head);
    side.refresh();
    showPane('answer');
  };

  const workspace = new Workspace({
    changed: () => show(),
    refused: () => {
      showSession(undefined);
      askToSignIn(t.sessionEnded);
    },
  });
  const reference = createReference(schema, openDraft);
  const side = createSide(reference.host, openDraft);
  const showInReference = (type?: string, field?: string): void => {
    side.showReference();
    reference.goTo({ type, field });
    showPane('side');
  };
  const edit = (part: 'query' | Part) => (text: string) => {
    workspace.current[part] = text;
    workspace.edited();
  };
  const query = queryEditor({ label: t.operation, onChange: edit('query'), run }, { schema, showInReference });
  const inputs = {
    variables: jsonEditor({ label: t.variables, onChange: edit('variables'), run }),
    headers: jsonEditor({ label: t.headers, onChange: edit('headers'), run }),
  };
  const answer = answerView(t.answer);
  let part: Part = 'variables';

  const tabs = el('div', { class: 'tabs' });
  const parts = el('div', { class: 'bar' });
  const partPanel = el('div', { id: 'part', role: 'tabpanel', class: 'panel' });
  const runButton = el('button', { type: 'button', class: 'primary run', onclick: run });
  const note = el('p', { class: 'note', role: 'status' });
  const copy = el('button', { type: 'button', class: 'plain' }, t.copy);
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(workspace.current.answer);
    copy.textContent = t.copied;
  });
  const who = el('div', { class: 'who' });
  const panes = el(
    'nav',
    { class: 'panes', 'aria-label': t.panes },
    ...(['side', 'operation', 'answer'] as const).map(pane =>
      el(
        'button',
        { type: 'button', 'data-pane': pane, onclick: () => showPane(pane) },
        pane === 'side' ? t.reference : t[pane],
      ),
    ),
  );

  function show(): void {
    const { current } = workspace;
    const choices = workspace.tabs.map(tab => ({ key: tab.key, label: nameOf(tab) }));
    const hadFocus = tabs.contains(document.activeElement);
    tabs.replaceChildren(
      tabList(t.tabs, choices, current.key, { panel: 'operation', choose: key => workspace.choose(key) }),
      iconButton('×', t.closeTab, () => workspace.close()),
      iconButton('+', t.newTab, () => openDraft({ query: '', variables: '' })),
    );
    const chosen = tabs.querySelector<HTMLElement>('[aria-selected=true]');
    chosen?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    if (hadFocus) chosen?.focus();
    query.setText(current.query);
    inputs.variables.setText(current.variables);
    inputs.headers.setText(current.headers);
    answer.setText(current.answer);
    answer.host.hidden = !current.answer;
    copy.hidden = !current.answer;
    copy.textContent = t.copy;
    note.textContent = current.note;
    note.dataset.mood = current.mood;
    runButton.textContent = current.stop ? `■ ${t.stop}` : `▶ ${t.run}`;
  }

  function showParts(): void {
    const choices = (['variables', 'headers'] as const).map(key => ({ key, label: t[key] }));
    const choose = (key: string): void => {
      part = key as Part;
      showParts();
    };
    parts.replaceChildren(tabList(t.parts, choices, part, { panel: 'part', choose }));
    partPanel.setAttribute('aria-labelledby', `part-${part}`);
    partPanel.replaceChildren(inputs[part].host);
  }

  function showSession(session: Session | undefined): void {
    const leave = async (): Promise<void> => {
      await endSession();
      showSession(undefined);
      askToSignIn();
    };
    const isReading = session?.scope.includes('read');
    who.replaceChildren(
      ...(session
        ? [
            el('span', { title: t.signedInAs }, session.merchant_id, isReading && ` (${t.readOnly})`),
            el('button', { type: 'button', class: 'plain', onclick: () => void leave() }, t.signOut),
          ]
        : [el('button', { type: 'button', class: 'plain', onclick: () => askToSignIn() }, t.signIn)]),
    );
  }

  const other = language === 'es' ? 'en' : 'es';
  document.body.append(
    el(
      'header',
      {},
      el('h1', {}, el('span', {}, 'recaudo'), ' GraphQL'),
      who,
      themeButton(),
      el('a', { href: `?lang=${other}`, lang: other, hreflang: other }, t.other),
    ),
    el(
      'main',
      {},
      side.host,
      divider('side'),
      el(
        'section',
        { class: 'operation', 'aria-label': t.operation },
        tabs,
        el(
          'div',
          { class: 'tools' },
          runButton,
          el('button', { type: 'button', class: 'plain', onclick: () => workspace.format() }, t.format),
        ),
        el('div', { id: 'operation', role: 'tabpanel', class: 'panel query', 'aria-label': t.operation }, query.host),
        parts,
        partPanel,
      ),
      divider('answer'),
      el(
        'section',
        { class: 'answer', 'aria-label': t.answer },
        el('div', { class: 'tools' }, note, copy),
        el('div', { class: 'panel' }, answer.host),
      ),
    ),
    panes,
  );
  const askToSignIn = signInDialog(showSession);
  document.addEventListener('keydown', event => {
    if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    side.showReference();
    showPane('side');
    reference.focusSearch();
  });
  showPane('operation');
  showParts();
  show();
  showSession(session);
  if (!session) askToSignIn(isLinkUsed ? t.usedLink : undefined);
}

start().catch(error => {
  document.body.append(el('p', { class: 'notice', role: 'alert' }, t.noSchema));
  throw error;
});
