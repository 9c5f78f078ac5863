/** Filters as chips. */
import x from 'lucide-static/icons/x.svg';
import { toApiAmount } from '../../shared/amounts';
import { Button } from '../../shared/ui/Button';
import { inputOf } from '../../shared/ui/FieldInput';
import { IconButton } from '../../shared/ui/IconButton';
import { Popover } from '../../shared/ui/Popover';
import { useLoad } from '../api/useLoad';
import { readText, toText } from '../metadata/text';
import type { Filter, Filters } from './definition';
import { joinSpan, spanName, spanOf } from './span';
import { t } from './texts';

interface FilterBarProps {
  known: readonly Filter[];
  filters: Filters;
  change: (filters: Filters) => void;
}

const isSpan = (kind: Filter['kind']): kind is 'days' | 'amounts' => kind === 'days' || kind === 'amounts';

const valueName = ({ kind, options = [] }: Filter, value: string): string =>
  isSpan(kind)
    ? spanName(kind, value)
    : value
        .split(',')
        .map(one => options.find(([known]) => known === one)?.[1] ?? one)
        .join(', ');

export function FilterBar({ known, filters, change }: FilterBarProps) {
  const set = (key: string, value: string): void => {
    const { [key]: _, ...others } = filters;
    change(value ? { ...others, [key]: value } : others);
  };
  return (
    <div class="filters">
      {known.map(filter => {
        const value = filters[filter.key];
        return (
          <span key={filter.key} class={value ? 'filter set' : 'filter'}>
            <Popover label={value ? <Chosen filter={filter} value={value} /> : filter.name}>
              {close => (
                <FilterForm
                  filter={filter}
                  value={value ?? ''}
                  set={chosen => {
                    set(filter.key, chosen);
                    close();
                  }}
                />
              )}
            </Popover>
            {value && <IconButton svg={x} label={`${t.clear}: ${filter.name}`} onClick={() => set(filter.key, '')} />}
          </span>
        );
      })}
      {Object.keys(filters).length > 1 && (
        <Button type="button" onClick={() => change({})}>
          {t.clearAll}
        </Button>
      )}
    </div>
  );
}

/** Shows the name of an ID when it is loaded. */
function Chosen({ filter, value }: { filter: Filter; value: string }) {
  const { name, nameOf } = filter;
  const called = useLoad(value, async stop => nameOf?.(value, stop), { when: nameOf !== undefined });
  return (
    <>
      {name}: {called.data ?? valueName(filter, value)}
    </>
  );
}

const spanParts = (value: string) => {
  const { from, to } = spanOf(value);
  return [
    [t.from, from],
    [t.to, to],
  ] as const;
};

const pairText = ([key = '', value = '']: string[]): string => (key ? toText({ [key]: value }) : '');
const pairParts = (text: string) => {
  const [[key, value] = []] = Object.entries(readText(text) ?? {});
  return [
    [t.key, key],
    [t.value, value],
  ] as const;
};

interface FilterFormProps {
  filter: Filter;
  value: string;
  set: (value: string) => void;
}

function FilterForm({ filter: { name, kind, options = [] }, value, set }: FilterFormProps) {
  const input = kind.startsWith('day') ? 'date' : kind.startsWith('amount') ? 'amount' : 'text';
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const entries = new FormData(event.currentTarget as HTMLFormElement);
    const values = entries
      .getAll('value')
      .map(value => String(value).trim())
      .map(value => (input === 'amount' ? toApiAmount(value) : value));
    const join =
      kind === 'pair' ? pairText : isSpan(kind) ? joinSpan : (all: string[]) => all.filter(Boolean).join(',');
    set(join(values));
  };
  const chosen = value.split(',');
  const parts = kind === 'pair' ? pairParts(value) : spanParts(value);
  return (
    <form class="filter-form" onSubmit={submit}>
      <fieldset>
        <legend>{name}</legend>
        {kind === 'choices' || kind === 'choice' ? (
          options.map(([option, text]) => (
            <label key={option} class="check">
              <input
                type={kind === 'choices' ? 'checkbox' : 'radio'}
                name="value"
                value={option}
                defaultChecked={chosen.includes(option)}
              />
              {text}
            </label>
          ))
        ) : isSpan(kind) || kind === 'pair' ? (
          parts.map(([end, at]) => (
            <label key={end}>
              {end}
              <input {...inputOf(input, at)} name="value" />
            </label>
          ))
        ) : (
          <input {...inputOf(input, value)} name="value" aria-label={name} />
        )}
      </fieldset>
      <Button kind="primary">{t.apply}</Button>
    </form>
  );
}
