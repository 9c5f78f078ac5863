/** The fields depend on the type of rule. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, type Problem } from '../../shared/api/ask';
import { useRequestKey } from '../../shared/api/useRequestKey';
import { Button } from '../../shared/ui/Button';
import { type Field, FieldInput, focusInvalid, type Values } from '../../shared/ui/FieldInput';
import { ProblemNote } from '../../shared/ui/States';
import { canWrite } from '../shell/session';
import { DryRunReport } from './DryRunReport';
import { DRY_RUN, type DryRunResult, type RuleInput, type RuleRow } from './operations';
import { type Kind, ruleOf, TERMS } from './terms';
import { t } from './texts';

interface RuleFormProps {
  rule?: RuleRow;
  save: (rule: RuleInput, key: string) => Promise<void>;
}

const fieldsOf = (kind: Kind, rule: RuleRow | undefined): Field[] => {
  const { has, scopes = [], conditions = [] } = TERMS[kind];
  const all: Field[] = [
    { name: 'key', label: t.key, value: rule?.key ?? '' },
    {
      name: 'scope',
      label: t.scope,
      type: 'select',
      value: rule?.scope ?? scopes[0] ?? '',
      options: scopes.map(scope => [scope, t.scopes[scope]]),
    },
    {
      name: 'condition',
      label: t.condition,
      type: 'select',
      value: rule?.condition ?? conditions[0] ?? '',
      options: conditions.map(condition => [condition, t.conditions[condition]]),
    },
    { name: 'max', label: t.max, type: 'number', value: rule?.max ?? 5 },
    { name: 'minutes', label: t.minutes, type: 'number', value: rule?.minutes ?? 60 },
    { name: 'amount', label: t.amount, type: 'amount', value: rule?.amount ?? '' },
    { name: 'countries', label: t.countries, value: rule?.countries?.join(', ') ?? '', hint: t.countriesHint },
    { name: 'values', label: t.values, type: 'textarea', value: rule?.values?.join('\n') ?? '', hint: t.valuesHint },
    { name: 'value', label: t.value, value: rule?.value ?? '', isOptional: true },
  ];
  return all.filter(({ name }) => (has as string[]).includes(name));
};

export function RuleForm({ rule, save }: RuleFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [kind, setKind] = useState<Kind>(rule?.kind ?? 'attempts');
  const { keyOf, refused, renew } = useRequestKey();
  const [problem, setProblem] = useState<Problem | undefined>();
  const [trial, setTrial] = useState<DryRunResult | undefined>();
  const [isBusy, setBusy] = useState(false);

  useEffect(() => focusInvalid(problem ? form.current : null), [problem]);

  const run = async (work: (rule: RuleInput) => Promise<void>): Promise<void> => {
    if (!form.current?.reportValidity()) return;
    const entries = [...new FormData(form.current)].map(([name, value]) => [name, String(value).trim()] as const);
    setBusy(true);
    setProblem(undefined);
    try {
      await work(ruleOf({ kind, ...Object.fromEntries(entries) } as Values));
    } catch (error) {
      setProblem(refused(error));
    }
    setBusy(false);
  };
  const tryOut = () =>
    run(async rule => {
      setTrial((await ask(DRY_RUN, { dry_run: { rule } })).dryRunFraudRule ?? undefined);
    });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(rule => save(rule, keyOf(rule)).then(renew));
  };
  const fields: Field[] = [
    { name: 'name', label: t.name, value: rule?.name ?? '', hint: t.nameHint },
    ...fieldsOf(kind, rule),
    {
      name: 'applies_to',
      label: t.applies,
      type: 'select',
      value: rule?.applies_to ?? 'charges',
      options: Object.entries(t.payments),
    },
    { name: 'enabled', label: t.enabled, type: 'checkbox', value: rule?.enabled ?? true },
  ];
  // A trial sends the rule as one of its fields.
  const at = problem?.field?.replace(/^rule\./, '');
  const ofField = (name: string): string | undefined => (at === name ? problem?.message : undefined);
  return (
    <>
      <form ref={form} class="card rule-form" aria-label={t.rule} onSubmit={submit}>
        {problem && !fields.some(({ name }) => name === at) && <ProblemNote problem={problem} />}
        <div class="field">
          <label for="rule-kind">{t.kind}</label>
          <select
            id="rule-kind"
            disabled={rule !== undefined}
            onChange={event => setKind(event.currentTarget.value as Kind)}
          >
            {Object.entries(t.kinds).map(([value, text]) => (
              <option key={value} value={value} selected={value === kind}>
                {text}
              </option>
            ))}
          </select>
        </div>
        {fields.map(field => (
          <FieldInput key={`${kind} ${field.name}`} field={field} problem={ofField(field.name)} />
        ))}
        <div class="actions">
          <Button type="button" isBusy={isBusy} onClick={tryOut}>
            {t.tryOut}
          </Button>
          {canWrite() && (
            <Button kind="primary" isBusy={isBusy}>
              {t.save}
            </Button>
          )}
        </div>
      </form>
      {trial && <DryRunReport of={trial} />}
    </>
  );
}
