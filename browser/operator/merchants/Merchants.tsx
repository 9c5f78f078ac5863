/** Merchants of both environments. The search and the filters are in the address. */

import { useState } from 'preact/hooks';
import { Link, useLocation, useSearch } from 'wouter-preact';
import { ask } from '../../shared/api/ask';
import type { ResultOf } from '../../shared/api/graphql';
import { required } from '../../shared/api/required';
import { Button } from '../../shared/ui/Button';
import { Chip } from '../../shared/ui/Chip';
import { Moment } from '../../shared/ui/Figures';
import { PageHead } from '../../shared/ui/PageHead';
import { Shown } from '../../shared/ui/States';
import { Table, type TableColumn } from '../../shared/ui/Table';
import { graphql } from '../graphql';
import { ObjectId } from '../shell/ObjectId';
import { useAsk } from '../shell/useAsk';
import { t as common, environmentName } from '../texts';
import { t } from './texts';

const MERCHANTS = graphql(`
  query Merchants($find: String, $status: MerchantStatus, $environment: MerchantEnvironment, $after: String) {
    merchantAccounts(find: $find, status: $status, environment: $environment, first: 50, after: $after) {
      edges { node { id name email environment status creation_date } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

type Page = NonNullable<ResultOf<typeof MERCHANTS>['merchantAccounts']>;
type Merchant = Page['edges'][number]['node'];

export const MerchantStatusChip = ({ status }: Pick<Merchant, 'status'>) => (
  <Chip status={status} name={status === 'active' ? t.active : t.suspended} />
);

const columns: TableColumn<Merchant>[] = [
  { key: 'name', name: t.name, cell: ({ id, name }) => <Link href={`/merchants/${id}`}>{name}</Link> },
  { key: 'id', name: t.id, cell: ({ id }) => <ObjectId id={id} /> },
  { key: 'environment', name: t.environment, cell: ({ environment }) => environmentName(environment) },
  { key: 'status', name: t.status, cell: MerchantStatusChip },
  { key: 'email', name: t.email, cell: ({ email }) => email },
  { key: 'created', name: t.created, cell: ({ creation_date }) => <Moment at={creation_date} /> },
];

const oneOf = <const Word extends string>(words: readonly Word[], text: string | null): Word | undefined =>
  words.find(word => word === text);

export function Merchants() {
  const search = useSearch();
  const [, navigate] = useLocation();
  const asked = new URLSearchParams(search);
  const find = asked.get('find') ?? '';
  const status = oneOf(['active', 'suspended'], asked.get('status'));
  const environment = oneOf(['sandbox', 'production'], asked.get('environment'));
  const submit = (form: HTMLFormElement): void => {
    const chosen = [...new FormData(form)].flatMap(([name, value]) => (value === '' ? [] : [[name, String(value)]]));
    navigate(`/merchants?${new URLSearchParams(chosen)}`);
  };
  const variables = { ...(find && { find }), ...(status && { status }), ...(environment && { environment }) };
  return (
    <>
      <PageHead title={t.title} />
      <form
        key={search}
        class="list-filter"
        onSubmit={event => {
          event.preventDefault();
          submit(event.currentTarget);
        }}
      >
        <input name="find" type="search" aria-label={t.find} placeholder={t.find} defaultValue={find} maxLength={100} />
        <select
          name="environment"
          aria-label={t.environment}
          value={environment ?? ''}
          onChange={event => event.currentTarget.form && submit(event.currentTarget.form)}
        >
          <option value="">{t.anyEnvironment}</option>
          <option value="production">{environmentName('production')}</option>
          <option value="sandbox">{environmentName('sandbox')}</option>
        </select>
        <select
          name="status"
          aria-label={t.status}
          value={status ?? ''}
          onChange={event => event.currentTarget.form && submit(event.currentTarget.form)}
        >
          <option value="">{t.anyStatus}</option>
          <option value="active">{t.active}</option>
          <option value="suspended">{t.suspended}</option>
        </select>
        <Button>{t.search}</Button>
      </form>
      <Found key={JSON.stringify(variables)} variables={variables} />
    </>
  );
}

function Found({ variables }: { variables: object }) {
  const loaded = useAsk(MERCHANTS, variables);
  const [further, setFurther] = useState<Page[]>([]);
  const [isBusy, setBusy] = useState(false);
  const more = async (after: string | null): Promise<void> => {
    setBusy(true);
    try {
      const answer = await ask(MERCHANTS, { ...variables, after }, { session: 'operator' });
      setFurther([...further, required(answer.merchantAccounts)]);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Shown of={loaded} lines={8}>
      {data => {
        const pages = [required(data.merchantAccounts), ...further];
        const last = pages.at(-1)?.pageInfo;
        return (
          <>
            <Table
              label={t.title}
              columns={columns}
              rows={pages.flatMap(({ edges }) => edges.map(({ node }) => node))}
              keyOf={({ id }) => id}
              isBusy={loaded.isLoading}
              empty={t.none}
            />
            {last?.hasNextPage && (
              <div class="actions">
                <Button type="button" isBusy={isBusy} onClick={() => more(last.endCursor ?? null)}>
                  {common.more}
                </Button>
              </div>
            )}
          </>
        );
      }}
    </Shown>
  );
}
