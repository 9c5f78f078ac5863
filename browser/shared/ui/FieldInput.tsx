import { useId } from 'preact/hooks';
import { fromApiAmount } from '../amounts';
import { formatInput, pasteAmount } from './amountInput';
import { type Suggest, SuggestedInput } from './SuggestedInput';

export interface Field {
  name: string;
  label: string;
  /** The values of `choices` are joined by commas; an `amount` is formatted, and `asEntered` reads it. */
  type?:
    | 'text'
    | 'number'
    | 'amount'
    | 'date'
    | 'datetime-local'
    | 'email'
    | 'url'
    | 'tel'
    | 'color'
    | 'password'
    | 'file'
    | 'select'
    | 'textarea'
    | 'checkbox'
    | 'choices';
  value?: string | number | boolean;
  options?: readonly (readonly [value: string, name: string])[];
  hint?: string;
  isOptional?: boolean;
  /** Shown on request. */
  isFurther?: boolean;
  /** Finds values for the text of an input while it is typed. */
  suggest?: Suggest;
  /** Shown only while the select of this name has one of these values. */
  onlyWith?: readonly [select: string, ...values: string[]];
}

export type Values = Record<string, string>;

/** Not `type="number"`: browsers would parse amounts by their locale. */
const AMOUNT = {
  ...({ type: 'text', inputMode: 'decimal', autocomplete: 'off' } as const),
  onInput: formatInput,
  onPaste: pasteAmount,
};

/** Attributes of an input with this initial value, which is in the format of the API. */
export const inputOf = (type: string, value: Field['value'] = '') =>
  type === 'amount'
    ? { ...AMOUNT, defaultValue: fromApiAmount(String(value)) }
    : { type, step: 'any', defaultValue: String(value) };

/** The value of an untouched field, as its form would send it. */
export const initialValue = ({ type = 'text', value, options = [] }: Field): string => {
  if (type === 'checkbox') return value === true ? 'true' : '';
  if (type === 'select') return String(value ?? options[0]?.[0] ?? '');
  return type === 'amount' ? fromApiAmount(String(value ?? '')) : String(value ?? '');
};

/** The error is an element of its own, so that screen readers announce it. */
const Note = ({ id, problem, hint }: { id: string; problem: string | undefined; hint: string | undefined }) =>
  problem === undefined ? (
    <p key="hint" id={id} class="hint">
      {hint}
    </p>
  ) : (
    <p key="problem" id={id} class="problem" role="alert">
      {problem}
    </p>
  );

export const focusInvalid = (form: HTMLElement | null): void =>
  form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();

export function FieldInput({ field, problem }: { field: Field; problem: string | undefined }) {
  const { name, label, type = 'text', value, options = [], hint, isOptional = false, suggest } = field;
  // Dialogs of a page may have fields with the same name.
  const id = useId();
  const shared = {
    id,
    name,
    required: !isOptional,
    'aria-invalid': problem !== undefined,
    'aria-describedby': `${id}-note`,
  };
  if (type === 'checkbox')
    return (
      <label class="check">
        <input type="checkbox" name={name} value="true" defaultChecked={value === true} />
        {label}
      </label>
    );
  if (type === 'choices')
    return (
      <fieldset class="choices" aria-describedby={`${id}-note`}>
        <legend>{label}</legend>
        <Note id={`${id}-note`} problem={problem} hint={hint} />
        {options.map(([option, text]) => (
          <label key={option} class="check">
            <input
              type="checkbox"
              name={name}
              value={option}
              defaultChecked={String(value ?? '')
                .split(',')
                .includes(option)}
            />
            {text}
          </label>
        ))}
      </fieldset>
    );
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {type === 'select' ? (
        <select {...shared} defaultValue={String(value ?? '')}>
          {options.map(([option, text]) => (
            <option key={option} value={option} selected={option === String(value ?? '')}>
              {text}
            </option>
          ))}
        </select>
      ) : type === 'textarea' ? (
        <textarea {...shared} defaultValue={String(value ?? '')} rows={3} />
      ) : suggest ? (
        <SuggestedInput {...shared} type={type} suggest={suggest} />
      ) : (
        <input {...shared} {...inputOf(type, value)} />
      )}
      <Note id={`${id}-note`} problem={problem} hint={hint} />
    </div>
  );
}
