/** The progress and the report of a bulk action. */
import { useEffect, useState } from 'preact/hooks';
import { ask } from '../../shared/api/ask';
import { required } from '../../shared/api/required';
import { Button } from '../../shared/ui/Button';
import { Facts, Section } from '../../shared/ui/Facts';
import { Moment } from '../../shared/ui/Figures';
import { PageHead } from '../../shared/ui/PageHead';
import { Shown } from '../../shared/ui/States';
import { Table, type TableColumn } from '../../shared/ui/Table';
import { ChangeButton } from '../actions/ChangeButton';
import { stepsOf } from '../actions/KnownSteps';
import { ObjectId } from '../shell/ObjectId';
import { useAsk } from '../shell/useAsk';
import { mayAct } from '../state';
import { environmentName } from '../texts';
import { StateChip } from './BulkActions';
import { BULK, type BulkReport, STOP } from './operations';
import { t } from './texts';

const INTERVAL_MS = 2000;

type Refusal = BulkReport['refusals']['nodes'][number];
const columns: TableColumn<Refusal>[] = [
  { key: 'id', name: t.subscription, cell: ({ subscription_id }) => <ObjectId id={subscription_id} /> },
  { key: 'why', name: t.why, cell: ({ message }) => <span lang="en">{message}</span> },
];

export function BulkPage({ id }: { id: string }) {
  const [after, setAfter] = useState<string | null>(null);
  const loaded = useAsk(BULK, { id, after });
  const isOpen = loaded.data?.bulkAction?.finished_at === null;
  useEffect(() => {
    if (!isOpen) return;
    const timer = setInterval(loaded.reload, INTERVAL_MS);
    return () => clearInterval(timer);
  }, [isOpen]);
  return (
    <Shown of={loaded} lines={8}>
      {data => {
        const bulk = required(data.bulkAction);
        const { nodes, pageInfo } = bulk.refusals;
        return (
          <>
            <PageHead
              title={`${t.one}: ${t.actions[bulk.action]}`}
              action={isOpen && mayAct('support') && <StopButton id={id} reload={loaded.reload} />}
            >
              <StateChip state={bulk.state} />
            </PageHead>
            <Progress bulk={bulk} />
            <Section title={t.refusals}>
              <Table
                label={t.refusals}
                columns={columns}
                rows={nodes}
                keyOf={({ subscription_id }) => subscription_id}
                empty={t.noRefusals}
              />
              <div class="actions">
                {after !== null && (
                  <Button type="button" onClick={() => setAfter(null)}>
                    {t.earlier}
                  </Button>
                )}
                {pageInfo.hasNextPage && (
                  <Button type="button" onClick={() => setAfter(pageInfo.endCursor)}>
                    {t.next}
                  </Button>
                )}
              </div>
            </Section>
          </>
        );
      }}
    </Shown>
  );
}

const StopButton = ({ id, reload }: { id: string; reload: () => void }) => (
  <ChangeButton
    label={t.stop}
    title={t.stopTitle}
    kind="danger"
    preview={stepsOf(t.stopSteps)}
    fields={() => []}
    run={(_, key) => ask(STOP, { id }, { session: 'operator', key })}
    done={t.stopped}
    reload={reload}
  />
);

function Progress({ bulk }: { bulk: BulkReport }) {
  const { found, done, refused } = bulk;
  return (
    <Section title={t.progress}>
      {bulk.state !== 'listing' && found > 0 && <progress aria-label={t.progress} max={found} value={done + refused} />}
      <Facts
        of={[
          [t.found, `${found}`],
          [t.done, `${done}`],
          [t.refused, `${refused}`],
          [t.left, `${found - done - refused}`],
          [t.query, <code key="query">{bulk.query}</code>],
          [t.environment, environmentName(bulk.environment)],
          [t.rate, `${bulk.rate}`],
          [t.reason, bulk.reason],
          [t.by, bulk.actor_id],
          [t.created, <Moment key="created" at={bulk.creation_date} />],
          [t.finished, bulk.finished_at && <Moment at={bulk.finished_at} />],
        ]}
      />
    </Section>
  );
}
