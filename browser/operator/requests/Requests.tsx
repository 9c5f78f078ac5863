/** Requests for production access by status, those to review first. */
import { Link, useLocation, useSearch } from 'wouter-preact';
import type { ResultOf } from '../../shared/api/graphql';
import { required } from '../../shared/api/required';
import { Chip } from '../../shared/ui/Chip';
import { Moment } from '../../shared/ui/Figures';
import { PageHead } from '../../shared/ui/PageHead';
import { Shown } from '../../shared/ui/States';
import { Table, type TableColumn } from '../../shared/ui/Table';
import { graphql } from '../graphql';
import { ObjectId } from '../shell/ObjectId';
import { useAsk } from '../shell/useAsk';
import { t } from './texts';

const REQUESTS = graphql(`
  query Requests($status: LiveRequestStatus) {
    liveRequests(status: $status, first: 100) { nodes { id merchant_id status submitted_at creation_date business { legal_name nit } } }
  }
`);

type Request = NonNullable<ResultOf<typeof REQUESTS>['liveRequests']>['nodes'][number];

const columns: TableColumn<Request>[] = [
  {
    key: 'business',
    name: t.business,
    cell: ({ id, business }) => (
      <>
        <Link href={`/requests/${id}`}>{business?.legal_name ?? id}</Link>{' '}
        {business && <small>NIT {business.nit}</small>}
      </>
    ),
  },
  { key: 'status', name: t.status, cell: ({ status }) => <Chip status={status} /> },
  { key: 'merchant', name: t.merchant, cell: ({ merchant_id }) => <ObjectId id={merchant_id} /> },
  {
    key: 'submitted',
    name: t.submitted,
    cell: ({ submitted_at }) => (submitted_at ? <Moment at={submitted_at} /> : '–'),
  },
];

const STATUSES = ['submitted', 'returned', 'approved', 'refused', 'draft'] as const;
const ALL = 'all';

export function Requests() {
  const [, navigate] = useLocation();
  const asked = new URLSearchParams(useSearch()).get('status') ?? 'submitted';
  const status = STATUSES.find(each => each === asked);
  const loaded = useAsk(REQUESTS, status ? { status } : {});
  return (
    <>
      <PageHead
        title={t.title}
        action={
          <select
            aria-label={t.status}
            value={status ?? ALL}
            onChange={event => navigate(`/requests?status=${event.currentTarget.value}`)}
          >
            {STATUSES.map(each => (
              <option key={each} value={each}>
                {t.statuses[each]}
              </option>
            ))}
            <option value={ALL}>{t.anyStatus}</option>
          </select>
        }
      />
      <Shown of={loaded} lines={6}>
        {data => (
          <Table
            label={t.title}
            columns={columns}
            rows={required(data.liveRequests).nodes}
            keyOf={({ id }) => id}
            isBusy={loaded.isLoading}
            empty={t.empty}
          />
        )}
      </Shown>
    </>
  );
}
