/** The latest bulk actions, and the start of a new one. */
import { Link } from 'wouter-preact';
import { required } from '../../shared/api/required';
import { Chip } from '../../shared/ui/Chip';
import { Moment } from '../../shared/ui/Figures';
import { PageHead } from '../../shared/ui/PageHead';
import { Shown } from '../../shared/ui/States';
import { Table, type TableColumn } from '../../shared/ui/Table';
import { useAsk } from '../shell/useAsk';
import { mayAct } from '../state';
import { environmentName } from '../texts';
import { BULKS, type Bulk } from './operations';
import { StartButton } from './StartButton';
import { t } from './texts';

const TONES = { listing: 'info', running: 'info', done: 'good', stopped: 'grey' } as const;

export const StateChip = ({ state }: Pick<Bulk, 'state'>) => (
  <Chip status={state} tone={TONES[state]} name={t.states[state]} />
);

const columns: TableColumn<Bulk>[] = [
  {
    key: 'action',
    name: t.action,
    cell: ({ id, action }) => <Link href={`/bulk/${id}`}>{t.actions[action]}</Link>,
  },
  { key: 'query', name: t.query, cell: ({ query }) => <code class="id">{query}</code> },
  { key: 'environment', name: t.environment, cell: ({ environment }) => environmentName(environment) },
  { key: 'state', name: t.state, cell: StateChip },
  { key: 'found', name: t.found, cell: ({ found }) => found, isNumber: true },
  { key: 'done', name: t.done, cell: ({ done }) => done, isNumber: true },
  { key: 'refused', name: t.refused, cell: ({ refused }) => refused, isNumber: true },
  { key: 'created', name: t.created, cell: ({ creation_date }) => <Moment at={creation_date} /> },
];

export function BulkActions() {
  const loaded = useAsk(BULKS, {});
  return (
    <>
      <PageHead title={t.title} action={mayAct('support') && <StartButton />} />
      <p class="hint">{t.about}</p>
      <Shown of={loaded} lines={6}>
        {data => (
          <Table
            label={t.title}
            columns={columns}
            rows={required(data.bulkActions).nodes}
            keyOf={({ id }) => id}
            isBusy={loaded.isLoading}
            empty={t.none}
          />
        )}
      </Shown>
    </>
  );
}
