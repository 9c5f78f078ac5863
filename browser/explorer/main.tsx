/** The GraphQL explorer. */
import { buildSchema, type GraphQLSchema } from 'graphql';
import { type ComponentChildren, render } from 'preact';
import { findSession } from '../shared/session';
import { signInTexts } from '../shared/signInTexts';
import { SandboxStripe } from '../shared/ui/SandboxStripe';
import { AnswerPane } from './AnswerPane';
import { openDraft, run } from './commands';
import { Divider } from './Divider';
import { takeLinkedField } from './link';
import { OperationPane } from './OperationPane';
import { Side } from './Side';
import { SignInDialog } from './SignInDialog';
import { askToSignIn, session, signInPrompt } from './session';
import { TopBar } from './TopBar';
import { t } from './texts';
import { PANES, pane, searchReference } from './view';

async function loadSchema(): Promise<GraphQLSchema> {
  const response = await fetch(document.documentElement.dataset.schema ?? '');
  if (!response.ok) throw new Error(`${response.status}`);
  return buildSchema(await response.text(), { assumeValid: true });
}

const Explorer = ({ schema }: { schema: GraphQLSchema }) => (
  <>
    <TopBar />
    <main>
      <Side schema={schema} />
      <Divider pane="side" />
      <OperationPane schema={schema} />
      <Divider pane="answer" />
      <AnswerPane />
    </main>
    <nav class="panes" aria-label={t.panes}>
      {PANES.map(name => (
        <button
          key={name}
          type="button"
          data-pane={name}
          aria-pressed={pane.value === name}
          onClick={() => {
            pane.value = name;
          }}
        >
          {name === 'side' ? t.reference : t[name]}
        </button>
      ))}
    </nav>
    <SignInDialog />
  </>
);

const show = (content?: ComponentChildren): void =>
  render(
    <>
      <SandboxStripe />
      {content}
    </>,
    document.body,
  );

document.body.replaceChildren();
show();
try {
  const [schema, { session: found, isLinkUsed }] = await Promise.all([
    loadSchema(),
    findSession().catch(() => ({ session: undefined, isLinkUsed: false })),
  ]);
  session.value = found;
  if (!found) askToSignIn(isLinkUsed ? signInTexts.usedLink : undefined);
  show(<Explorer schema={schema} />);
  const linked = takeLinkedField(schema);
  if (linked) openDraft(linked);
  document.addEventListener('keydown', event => {
    if (event.defaultPrevented || !(event.ctrlKey || event.metaKey)) return;
    if (event.key === 'k') searchReference();
    // The editors handle this themselves.
    else if (event.key === 'Enter' && !signInPrompt.value) run();
    else return;
    event.preventDefault();
  });
} catch (error) {
  show(
    <p class="notice" role="alert">
      {t.noSchema}
    </p>,
  );
  throw error;
}
