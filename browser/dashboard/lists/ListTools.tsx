import x from 'lucide-static/icons/x.svg';
import { useState } from 'preact/hooks';
import { Problem } from '../../shared/api/ask';
import { load, save } from '../../shared/storage';
import { Button } from '../../shared/ui/Button';
import { IconButton } from '../../shared/ui/IconButton';
import { notify } from '../../shared/ui/notices';
import { Popover } from '../../shared/ui/Popover';
import type { ListAddress } from './address';
import { csvOf, download } from './csv';
import type { Column, ListDefinition } from './definition';
import { t } from './texts';

interface SavedView {
  name: string;
  query: string;
}

export function Views<Row>({ of: { path }, address }: { of: ListDefinition<Row>; address: ListAddress }) {
  const key = `dashboard.views${path}`;
  const [views, setViews] = useState(() => load<SavedView[]>(key, []));
  const keep = (changed: SavedView[]): void => {
    setViews(changed);
    save(key, changed);
  };
  const add = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const name = String(new FormData(form).get('name') ?? '').trim();
    if (!name) return;
    keep([...views.filter(view => view.name !== name), { name, query: address.query }]);
    form.reset();
  };
  return (
    <Popover label={t.views}>
      {close => (
        <>
          <ul class="views">
            {[{ name: t.all, query: '' }, ...views].map(({ name, query }) => (
              <li key={name}>
                <button
                  type="button"
                  aria-pressed={query === address.query}
                  onClick={() => {
                    address.setFilters(Object.fromEntries(new URLSearchParams(query)));
                    close();
                  }}
                >
                  {name}
                </button>
                {query && (
                  <IconButton
                    svg={x}
                    label={`${t.removeView}: ${name}`}
                    onClick={() => keep(views.filter(view => view.name !== name))}
                  />
                )}
              </li>
            ))}
          </ul>
          {address.query && (
            <form class="filter-form" onSubmit={add}>
              <label for="view-name">{t.viewName}</label>
              <input id="view-name" name="name" required maxLength={60} />
              <Button>{t.saveView}</Button>
            </form>
          )}
        </>
      )}
    </Popover>
  );
}

export function useColumns<Row>({ path, columns }: ListDefinition<Row>) {
  const key = `dashboard.columns${path}`;
  const usual = columns.filter(({ isFurther }) => !isFurther).map(({ key }) => key);
  const [chosen, setChosen] = useState(() => load<string[]>(key, usual));
  const toggle = (column: string): void => {
    const changed = chosen.includes(column) ? chosen.filter(other => other !== column) : [...chosen, column];
    setChosen(changed);
    save(key, changed);
  };
  // The first column links to the page of the row.
  const shown = columns.filter((column, i) => i === 0 || chosen.includes(column.key));
  const chooser = (
    <Popover label={t.columns}>
      {() => (
        <fieldset class="filter-form">
          <legend>{t.columns}</legend>
          {columns.slice(1).map(({ key, name }) => (
            <label key={key} class="check">
              <input type="checkbox" checked={chosen.includes(key)} onChange={() => toggle(key)} />
              {name}
            </label>
          ))}
        </fieldset>
      )}
    </Popover>
  );
  return { shown, chooser };
}

interface CsvProps<Row> {
  of: ListDefinition<Row>;
  columns: readonly Column<Row>[];
  address: ListAddress;
}

export function CsvButton<Row>({ of, columns, address }: CsvProps<Row>) {
  const [rows, setRows] = useState<number | undefined>(undefined);
  const make = async (): Promise<void> => {
    setRows(0);
    try {
      const file = await csvOf(of, columns, address.filters, setRows);
      download(`${of.path.slice(1)}.csv`, file.text);
      if (file.isCut) notify(t.csvCut(file.rows));
    } catch (error) {
      notify(error instanceof Problem ? error.message : String(error), 'bad');
    }
    setRows(undefined);
  };
  return (
    <button type="button" class="opener" title={t.csvHint} disabled={rows !== undefined} onClick={make}>
      {rows ? t.csvBusy(rows) : t.csv}
    </button>
  );
}
