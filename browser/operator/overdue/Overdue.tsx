/** Overdue work and what it waits for, as the command `overdue` lists it. */
import { useState } from 'preact/hooks';
import type { ResultOf } from '../../shared/api/graphql';
import { required } from '../../shared/api/required';
import { Button } from '../../shared/ui/Button';
import { Money } from '../../shared/ui/Figures';
import { PageHead } from '../../shared/ui/PageHead';
import { Shown } from '../../shared/ui/States';
import { Table, type TableColumn } from '../../shared/ui/Table';
import { graphql } from '../graphql';
import { ObjectId } from '../shell/ObjectId';
import { useAsk } from '../shell/useAsk';
import { t as common, duration, environmentName } from '../texts';
import { t } from './texts';

const OVERDUE = graphql(`
  query Overdue($after: String) {
    overdueWork(after: $after) {
      temporal_problem pageInfo { hasNextPage endCursor }
      nodes { kind id merchant_id environment since amount reason details }
    }
  }
`);

type Item = NonNullable<ResultOf<typeof OVERDUE>['overdueWork']>['nodes'][number];

const columns: TableColumn<Item>[] = [
  {
    key: 'id',
    name: t.type,
    cell: ({ kind, id }) => (
      <>
        {t.kinds[kind] ?? kind} <ObjectId id={id} />
      </>
    ),
  },
  { key: 'merchant', name: t.merchant, cell: ({ merchant_id }) => <ObjectId id={merchant_id} /> },
  { key: 'environment', name: t.environment, cell: ({ environment }) => environmentName(environment) },
  { key: 'late', name: t.late, cell: ({ since }) => duration((Date.now() - Date.parse(since)) / 1000) },
  {
    key: 'amount',
    name: t.amount,
    cell: ({ amount }) => (amount === null ? '–' : <Money amount={amount} />),
    isNumber: true,
  },
  {
    key: 'reason',
    name: t.waits,
    cell: ({ reason, details }) => (
      <div>
        {t.reasons[reason] ?? reason}
        {details && (
          <p class="hint" lang="en">
            {details}
          </p>
        )}
      </div>
    ),
  },
];

export function Overdue() {
  const [after, setAfter] = useState<string | null>(null);
  const loaded = useAsk(OVERDUE, { after });
  return (
    <>
      <PageHead
        title={t.title}
        action={
          <Button type="button" isBusy={loaded.isLoading} onClick={loaded.reload}>
            {common.refresh}
          </Button>
        }
      />
      <p class="hint">{t.about}</p>
      <Shown of={loaded} lines={6}>
        {data => {
          const { nodes, pageInfo, temporal_problem } = required(data.overdueWork);
          return (
            <>
              {temporal_problem !== null && <p class="hint">{t.noTemporal(temporal_problem)}</p>}
              <Table label={t.title} columns={columns} rows={nodes} keyOf={({ id }) => id} empty={t.none} />
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
            </>
          );
        }}
      </Shown>
    </>
  );
}
