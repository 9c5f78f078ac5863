/** A list with filters, columns, views, CSV and pages, updated by events. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { formatNumber } from '../../shared/format';
import { Button } from '../../shared/ui/Button';
import { PageHead } from '../../shared/ui/PageHead';
import { Empty, Shown } from '../../shared/ui/States';
import { useLoad } from '../api/useLoad';
import { ShowQuery } from '../developer/ShowQuery';
import { type ListAddress, useListAddress } from './address';
import type { ListDefinition, Page } from './definition';
import { FilterBar } from './FilterBar';
import { CsvButton, useColumns, Views } from './ListTools';
import { Table } from './Table';
import { t } from './texts';

const PAGE_ROWS = 25;
const COUNT = ['*.totalCount', '*.totalCountIsExact'];
const ROWS = ['*.edges', '*.pageInfo'];

interface ListPageProps<Row> {
  of: ListDefinition<Row>;
  /** The primary action; a function receives `reload`. */
  action?: ComponentChildren | ((reload: () => void) => ComponentChildren);
  summary?: ComponentChildren;
  /** Shown if the list is empty. */
  start?: ComponentChildren;
}

export function ListPage<Row>({ of, action, summary, start }: ListPageProps<Row>) {
  const address = useListAddress(of);
  const { shown, chooser } = useColumns(of);
  const { filters, after, before } = address;
  const range = { size: PAGE_ROWS, after, before };
  const page = useLoad(JSON.stringify([of.path, filters, range]), stop => of.load(filters, range, stop), {
    refreshOn: of.refreshOn,
    // The buttons must keep the focus while a page loads.
    whole: JSON.stringify([of.path, filters]),
  });
  const { pages, turnTo } = usePages(address.turnTo, page.data);
  return (
    <>
      <PageHead title={of.title} action={typeof action === 'function' ? action(page.reload) : action}>
        {page.data?.total !== undefined && (
          <>
            <small>{t.rows(formatNumber(page.data.total), page.data.isTotalExact ?? true)}</small>
            <ShowQuery name={t.count} fields={COUNT} />
          </>
        )}
      </PageHead>
      {summary}
      <div class="list-tools">
        <FilterBar known={of.filters} filters={filters} change={address.setFilters} />
        <span class="tools">
          <Views of={of} address={address} />
          {chooser}
          <CsvButton of={of} columns={shown} address={address} />
          <ShowQuery name={of.title} fields={of.fields ?? ROWS} />
        </span>
      </div>
      <Shown of={page} lines={10}>
        {({ rows, next, previous }: Page<Row>) =>
          rows.length === 0 ? (
            <Empty title={address.query ? t.none : of.about}>{!address.query && start}</Empty>
          ) : (
            <>
              <Table
                label={of.title}
                columns={shown}
                rows={rows}
                keyOf={of.keyOf}
                href={of.href}
                isBusy={page.isLoading}
              />
              {(next || previous) && (
                <nav ref={pages} class="pages" aria-label={of.title}>
                  <Button type="button" disabled={!previous} onClick={() => turnTo({ before: previous })}>
                    {t.previous}
                  </Button>
                  <Button type="button" disabled={!next} onClick={() => turnTo({ after: next })}>
                    {t.next}
                  </Button>
                </nav>
              )}
            </>
          )
        }
      </Shown>
    </>
  );
}

/** When the pressed button becomes disabled, the focus moves to the other one. */
function usePages(turn: ListAddress['turnTo'], shown: unknown) {
  const pages = useRef<HTMLElement>(null);
  const isTurned = useRef(false);
  useEffect(() => {
    const focused = document.activeElement;
    if (isTurned.current && (focused === document.body || focused?.matches(':disabled')))
      pages.current?.querySelector<HTMLElement>('button:enabled')?.focus();
    isTurned.current = false;
  }, [shown]);
  const turnTo: typeof turn = cursor => {
    isTurned.current = true;
    turn(cursor);
  };
  return { pages, turnTo };
}
