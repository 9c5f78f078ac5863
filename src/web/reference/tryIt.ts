/**
 * The form of an operation that sends it to the sandbox. The script of the page shows it to readers with a session, which
 * is in a cookie, so that no key reaches the page. Production has no such form, because it would move real money.
 */
import { type Html, html } from '../../platform/html';
import { type ApiReference, type ReferenceOperation, type ReferenceSchema, withoutNull } from './document';
import { exampleRequest } from './samples';

const MIN_BODY_ROWS = 3;

interface FormField {
  /** The place and name of the value, such as `query.limit`. */
  name: string;
  label: string;
  isRequired: boolean;
  value?: string | undefined;
  hint?: string | undefined;
  /** The only values, if they are few. */
  choices?: string[] | undefined;
}

const select = ({ name, choices = [] }: FormField): Html =>
  html`<select name="${name}">${['', ...choices].map(choice => html`<option>${choice}</option>`)}</select>`;

const input = ({ name, isRequired, value, hint }: FormField): Html =>
  html`<input name="${name}" value="${value}" placeholder="${hint}" autocomplete="off" spellcheck="false"${isRequired && html` required`}>`;

const labelled = (field: FormField): Html =>
  html`<label><span><code>${field.label}</code>${field.isRequired && html` <b class="must">required</b>`}</span>${
    field.choices ? select(field) : input(field)
  }</label>`;

function choicesOf({ type, enum: words }: ReferenceSchema): string[] | undefined {
  if (type === 'boolean') return ['true', 'false'];
  return words?.filter(word => word !== null).map(String);
}

const parametersIn = ({ parameters }: ReferenceOperation, place: string) =>
  parameters.filter(each => each.in === place && each.name !== 'merchant_id');

/** Maps have a parameter per pair, which the form has no field for. */
const queryFieldsOf = (operation: ReferenceOperation) =>
  parametersIn(operation, 'query').filter(({ schema }) => schema.type !== 'object');

/** The explorer has the same session. */
function linkToExplorer(operation: ReferenceOperation): Html {
  const names = parametersIn(operation, 'path').map(({ name }) => `argument=${name}`);
  return html`<a href="/graphql#${[`field=${operation.field}`, ...names].join('&')}">Try it in the explorer</a>`;
}

export function tryIt(reference: ApiReference, operation: ReferenceOperation): Html {
  const { method, path, body } = operation;
  const example = exampleRequest(reference, operation);
  const fields = [
    ...parametersIn(operation, 'path').map(
      ({ name }): FormField => ({
        name: `path.${name}`,
        label: name,
        isRequired: true,
        hint: example.placeholder(name),
      }),
    ),
    ...queryFieldsOf(operation).map(({ name, required = false, schema }): FormField => {
      const proper = withoutNull(schema);
      const hint = proper.default === undefined ? undefined : String(proper.default);
      const value = example.query[name];
      return { name: `query.${name}`, label: name, isRequired: required, value, hint, choices: choicesOf(proper) };
    }),
  ];
  const optional = fields.filter(({ isRequired }) => !isRequired);
  const rows = Math.max(MIN_BODY_ROWS, example.body.split('\n').length);
  const key = { name: 'key', label: 'Idempotency-Key', isRequired: false, hint: 'a new one for each request' };
  return html`<details class="try" hidden><summary>Try it</summary>
<p class="account" role="status"></p>
<form data-method="${method}" data-path="${path}" hidden>
${fields.filter(({ isRequired }) => isRequired).map(labelled)}
${optional.length > 0 && html`<details><summary>Optional query parameters</summary><div class="fields">${optional.map(labelled)}</div></details>`}
${body && html`<label><span>Body</span><textarea name="body" rows="${rows}" spellcheck="false">${example.body}</textarea></label>`}
${method === 'POST' && labelled(key)}
<button class="send">Send</button>
</form>
<p class="outcome" role="status"></p>
<div class="reply" hidden></div>
</details>
<p class="explore">${linkToExplorer(operation)}</p>`;
}
