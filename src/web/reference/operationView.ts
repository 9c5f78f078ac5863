/** Renders an operation: parameters, response and code samples. */
import { type Html, html } from '../../platform/html';
import { exampleAnswerOf } from './answers';
import type { ApiReference, ReferenceOperation } from './document';
import { fieldList, formsOf, inline, membersOf, typeOf } from './fields';
import { LANGUAGES, samplesOf } from './samples';
import { tryIt } from './tryIt';

const LANGUAGE_NAMES = { curl: 'curl', node: 'Node', python: 'Python' };

const code = (text: string, language: string): Html =>
  html`<pre tabindex="0" data-language="${language}"><code>${text}</code></pre>`;

function samples(reference: ApiReference, operation: ReferenceOperation): Html {
  const programs = samplesOf(reference, operation);
  return html`<div class="samples" data-operation="${operation.id}">
<div class="languages" role="group" aria-label="Language of the example" hidden>${LANGUAGES.map(
    language => html`<button type="button" data-choose="${language}">${LANGUAGE_NAMES[language]}</button>`,
  )}<button type="button" class="copy">Copy</button></div>
${LANGUAGES.map(language => code(programs[language], language))}
${exampleAnswer(operation)}
</div>`;
}

function exampleAnswer({ id }: ReferenceOperation): Html {
  const answer = exampleAnswerOf(id);
  if (answer === undefined) return html``;
  return html`<details class="answer"><summary>Example response</summary>
<pre tabindex="0" data-code="json"><code>${JSON.stringify(answer, null, 2)}</code></pre></details>`;
}

const pathOf = (path: string): Html =>
  html`${path.split(/(\{\w+\})/).map((part, index) => (index % 2 === 1 ? html`<var>${part}</var>` : html`${part}`))}`;

/** Omitted, because every path has it and the introduction describes it. */
function parametersIn({ parameters }: ReferenceOperation, place: string, title: string): Html {
  const shown = parameters.filter(each => each.in === place && each.name !== 'merchant_id');
  if (shown.length === 0) return html``;
  const fields = shown.map(({ name, schema, required = false, description }) => ({
    name,
    schema,
    required,
    // The description of an ID only repeats its name.
    description: description === name.replaceAll('_', ' ') ? '' : description,
  }));
  return html`<h4>${title}</h4>${fieldList(fields)}`;
}

function requestBody(reference: ApiReference, { body }: ReferenceOperation): Html {
  if (!body) return html``;
  const schema = reference.resolve(body.schema);
  return html`<h4>Body${!body.required && ' (optional)'}</h4>
${formsOf(schema)}${fieldList(membersOf(schema))}`;
}

/** Errors are listed once, on their own page. */
const isOwn = (status: string): boolean => status.startsWith('2');

const answersOf = ({ answers }: ReferenceOperation): Html => html`<h4>Responses</h4>
<ul class="answers">${answers
  .filter(([status]) => isOwn(status))
  .map(([status, { description, content = {} }]) => {
    const schema = content['application/json']?.schema;
    const forms = Object.keys(content).includes('text/csv') && ', or CSV with `Accept: text/csv`';
    return html`<li><code>${status}</code> ${description}${schema && html`: ${typeOf(schema)}`}${forms && inline(forms)}</li>`;
  })}
<li>otherwise an <a href="/docs/errors">error</a></li></ul>`;

export function operationView(reference: ApiReference, operation: ReferenceOperation): Html {
  const { id, method, path, summary, description, takesPublicKey } = operation;
  return html`<section class="operation" aria-labelledby="${id}">
<div class="said">
<h3 id="${id}"><a class="anchor" href="#${id}">${summary}</a></h3>
<p class="route"><b class="method ${method.toLowerCase()}">${method}</b> <code>${pathOf(path)}</code></p>
<p>${inline(description)}</p>
${reference.isSandbox && tryIt(reference, operation)}
${takesPublicKey && html`<p>Also available with the public key.</p>`}
${parametersIn(operation, 'path', 'Path parameters')}${parametersIn(operation, 'query', 'Query parameters')}
${requestBody(reference, operation)}${parametersIn(operation, 'header', 'Headers')}${answersOf(operation)}
</div>
${samples(reference, operation)}
</section>`;
}
