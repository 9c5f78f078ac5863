import type { GraphQLSchema } from 'graphql';
import { formatMoment } from '../shared/format';
import { Button } from '../shared/ui/Button';
import { TabPanel, Tabs } from '../shared/ui/Tabs';
import { openDraft } from './commands';
import { Reference } from './Reference';
import { openSample, sampleTitles } from './samples';
import { clearHistory, pastRuns } from './storage';
import { t } from './texts';
import { SIDE_VIEWS, type SideView, sideView } from './view';

const PANEL = 'side-panel';
const TABS = SIDE_VIEWS.map(view => [view, t[view]] as const);

const choose = (view: SideView): void => {
  sideView.value = view;
};

export const Side = ({ schema }: { schema: GraphQLSchema }) => (
  <aside class="side" aria-label={t.side}>
    <div class="bar">
      <Tabs label={t.side} tabs={TABS} chosen={sideView.value} panel={PANEL} choose={choose} />
    </div>
    <TabPanel id={PANEL} chosen={sideView.value} class="panel">
      {sideView.value === 'reference' && <Reference schema={schema} />}
      {sideView.value === 'samples' && <Samples />}
      {sideView.value === 'history' && <History />}
    </TabPanel>
  </aside>
);

const Samples = () => (
  <div class="scroll list">
    <p class="hint">{t.samplesHint}</p>
    <ol>
      {sampleTitles.map((title, i) => (
        <li key={title}>
          <button type="button" class="row" onClick={() => openDraft(openSample(i))}>
            {title}
          </button>
        </li>
      ))}
    </ol>
  </div>
);

const History = () => (
  <div class="scroll list">
    {pastRuns.value.length === 0 ? (
      <p class="hint">{t.historyEmpty}</p>
    ) : (
      <>
        <ul>
          {pastRuns.value.map(({ name, at, query, variables }) => (
            <li key={at}>
              <button type="button" class="row" onClick={() => openDraft({ query, variables })}>
                <span>{name}</span>
                <small>{formatMoment(at)}</small>
              </button>
            </li>
          ))}
        </ul>
        <Button type="button" onClick={clearHistory}>
          {t.clear}
        </Button>
      </>
    )}
  </div>
);
