import { Link } from 'wouter-preact';
import { ask } from '../../shared/api/ask';
import { required } from '../../shared/api/required';
import { Chip } from '../../shared/ui/Chip';
import { useQuery } from '../api/useQuery';
import { textColumn } from '../lists/columns';
import { type ListDefinition, pageOfConnection, windowOf } from '../lists/definition';
import { ListPage } from '../lists/ListPage';
import { canWrite } from '../shell/session';
import { ActionButton } from '../ui/ActionButton';
import { CHANGE_SETTINGS, RULES, type RuleRow, SETTINGS } from './operations';
import { summaryOf } from './terms';
import { t } from './texts';

const rules: ListDefinition<RuleRow> = {
  path: '/fraud',
  title: t.title,
  about: t.about,
  filters: [],
  keyOf: ({ id }) => id,
  href: ({ id }) => `/fraud/${id}`,
  load: async (_, page, signal) => {
    const { fraudRules } = await ask(RULES, windowOf(page), { signal });
    return pageOfConnection(required(fraudRules));
  },
  columns: [
    textColumn('name', t.name, ({ name }) => name),
    textColumn('kind', t.kind, ({ kind }) => t.kinds[kind]),
    textColumn('terms', t.condition, summaryOf),
    textColumn('applies_to', t.applies, ({ applies_to }) => t.payments[applies_to]),
    {
      key: 'enabled',
      name: t.enabled,
      cell: ({ enabled }) => <Chip status={enabled ? 'on' : 'disabled'} />,
      text: ({ enabled }) => (enabled ? t.on : t.off),
    },
    textColumn('default', t.origin, rule => (rule.default ? t.default : t.own)),
    textColumn('id', 'id', ({ id }) => id, { isFurther: true }),
  ],
};

function Presets({ done }: { done: () => void }) {
  const { data, reload } = useQuery(SETTINGS, {});
  if (!data?.fraudSettings) return null;
  return (
    <ActionButton
      label={t.presets}
      question={t.presetsQuestion}
      fields={[
        {
          name: 'presets',
          label: t.presets,
          type: 'select',
          value: data.fraudSettings.presets,
          options: Object.entries(t.presetNames),
        },
      ]}
      run={async ({ presets }, key) => {
        const settings = { presets: presets === 'production' ? 'production' : 'sandbox' } as const;
        await ask(CHANGE_SETTINGS, { settings }, { key });
        return t.presetsChanged;
      }}
      done={() => {
        reload();
        done();
      }}
    />
  );
}

export const Rules = () => (
  <ListPage
    of={rules}
    action={reload => (
      <>
        <Presets done={reload} />
        {canWrite() && (
          <Link href="/fraud/new" class="button primary">
            {t.create}
          </Link>
        )}
      </>
    )}
  />
);
