/** The timeline of an object across all systems, as the command `story` prints it, and the changes that are possible. */
import { useState } from 'preact/hooks';
import { required } from '../../shared/api/required';
import { Button } from '../../shared/ui/Button';
import { CopyButton } from '../../shared/ui/CopyButton';
import { Facts, Section } from '../../shared/ui/Facts';
import { PageHead } from '../../shared/ui/PageHead';
import { Shown } from '../../shared/ui/States';
import { ActionButtons } from '../actions/ActionButtons';
import { ObjectId } from '../shell/ObjectId';
import { useAsk } from '../shell/useAsk';
import { t as common, environmentName } from '../texts';
import { Entries } from './Entries';
import { STORY, type Story } from './operations';
import { t } from './texts';

export function StoryPage({ id }: { id: string }) {
  const [after, setAfter] = useState<string | null>(null);
  const loaded = useAsk(STORY, { id, after });
  return (
    <Shown of={loaded} lines={8}>
      {data => <Loaded id={id} story={required(data.story)} {...{ after, setAfter, ...loaded }} />}
    </Shown>
  );
}

interface LoadedProps {
  id: string;
  story: Story;
  after: string | null;
  setAfter: (cursor: string | null) => void;
  isLoading: boolean;
  reload: () => void;
}

function Loaded({ id, story, after, setAfter, isLoading, reload }: LoadedProps) {
  const { kind, merchant_id, environment, temporal_problem, actions, entries, workflows } = story;
  const kindName = t.kinds[kind] ?? kind;
  return (
    <>
      <PageHead
        title={kindName}
        name={`${kindName} ${id}`}
        action={
          <>
            <Button type="button" isBusy={isLoading} onClick={reload}>
              {common.refresh}
            </Button>
            <ActionButtons id={id} actions={actions} reload={reload} />
          </>
        }
      >
        <span class="own-id">
          <code class="id">{id}</code> <CopyButton text={id} />
        </span>
      </PageHead>
      <Section title={t.facts}>
        <Facts
          of={[
            [t.merchant, <ObjectId key="merchant" id={merchant_id} />],
            [t.environment, environmentName(environment)],
            [
              t.workflows,
              workflows.length > 0 && (
                <ul class="workflows">
                  {workflows.map(({ id: workflow, url }) => (
                    <li key={workflow}>
                      {url ? (
                        <a href={url}>
                          <code class="id">{workflow}</code>
                        </a>
                      ) : (
                        <code class="id">{workflow}</code>
                      )}
                    </li>
                  ))}
                </ul>
              ),
            ],
          ]}
        />
        {temporal_problem !== null && <p class="hint">{t.noTemporal(temporal_problem)}</p>}
      </Section>
      <Entries id={id} entries={entries.nodes.toReversed()} />
      <div class="actions">
        {after !== null && (
          <Button type="button" onClick={() => setAfter(null)}>
            {t.latest}
          </Button>
        )}
        {entries.pageInfo.hasNextPage && (
          <Button type="button" onClick={() => setAfter(entries.pageInfo.endCursor)}>
            {t.earlier}
          </Button>
        )}
      </div>
    </>
  );
}
