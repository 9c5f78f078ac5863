import type { GraphQLSchema } from 'graphql';
import play from 'lucide-static/icons/play.svg';
import plus from 'lucide-static/icons/plus.svg';
import square from 'lucide-static/icons/square.svg';
import x from 'lucide-static/icons/x.svg';
import { useState } from 'preact/hooks';
import { Button } from '../shared/ui/Button';
import { Icon } from '../shared/ui/Icon';
import { IconButton } from '../shared/ui/IconButton';
import { TabPanel, Tabs } from '../shared/ui/Tabs';
import { CodeEditor } from './CodeEditor';
import { openDraft, queryView, run } from './commands';
import { jsonEditor, queryEditor } from './editors';
import { t } from './texts';
import { showInReference } from './view';
import { chooseTab, closeTab, current, edit, format, nameOf, tabs } from './workspace';

const QUERY_PANEL = 'operation';
const PART_PANEL = 'part';
const PARTS = ['variables', 'headers'] as const;
const PART_TABS = PARTS.map(part => [part, t[part]] as const);

export function OperationPane({ schema }: { schema: GraphQLSchema }) {
  const [part, setPart] = useState<(typeof PARTS)[number]>('variables');
  const { key, query, stop } = current.value;
  const createQueryEditor = (host: HTMLElement) => {
    const onChange = (text: string): void => edit({ query: text });
    const editor = queryEditor(host, { label: t.operation, onChange, run, schema, showInReference });
    queryView.current = editor.view;
    return editor;
  };
  return (
    <section class="operation" aria-label={t.operation}>
      <div class="tabs">
        <Tabs
          label={t.tabs}
          tabs={tabs.value.map(tab => [tab.key, nameOf(tab)] as const)}
          chosen={key}
          panel={QUERY_PANEL}
          choose={chooseTab}
        />
        <IconButton svg={x} label={t.closeTab} onClick={closeTab} />
        <IconButton svg={plus} label={t.newTab} onClick={() => openDraft({ query: '', variables: '' })} />
      </div>
      <div class="tools">
        <Button type="button" kind="primary" onClick={run}>
          <Icon svg={stop ? square : play} />
          {stop ? t.stop : t.run}
        </Button>
        <Button type="button" onClick={format}>
          {t.format}
        </Button>
      </div>
      <TabPanel id={QUERY_PANEL} chosen={key} class="panel query">
        <CodeEditor create={createQueryEditor} text={query} />
      </TabPanel>
      <div class="bar">
        <Tabs label={t.parts} tabs={PART_TABS} chosen={part} panel={PART_PANEL} choose={setPart} />
      </div>
      <TabPanel id={PART_PANEL} chosen={part} class="panel">
        {PARTS.map(name => (
          <CodeEditor
            key={name}
            create={host => jsonEditor(host, { label: t[name], onChange: text => edit({ [name]: text }), run })}
            text={current.value[name]}
            hidden={name !== part}
          />
        ))}
      </TabPanel>
    </section>
  );
}
