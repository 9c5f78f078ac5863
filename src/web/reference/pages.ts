/** Pages below /docs by path. */
import { ERRORS } from '../../platform/errors';
import { Html, html } from '../../platform/html';
import { type ApiReference, nameOfReference, type ReferenceSchema } from './document';
import { fieldList, formsOf, inline, membersOf, namesIn, typeOf } from './fields';
import { guideNames, guideOf, introduction, sectionOf } from './guides';
import { operationView } from './operationView';

export interface ReferencePage {
  path: string;
  title: string;
  body: Html;
}

export const titleOfTag = (tag: string): string =>
  tag === 'pse' ? 'PSE' : `${tag[0]?.toUpperCase()}${tag.slice(1).replaceAll('_', ' ')}`;

function objectView(reference: ApiReference, name: string): Html {
  const schema = reference.schema(name);
  const members = membersOf(schema);
  const choices = (schema.oneOf ?? []).filter(({ $ref }) => $ref);
  return html`<section aria-labelledby="${name}"><h3 id="${name}"><a class="anchor" href="#${name}">${name}</a></h3>
${schema.description && html`<p>${inline(schema.description)}</p>`}
${choices.length > 0 && html`<p>One of ${choices.map((each, index) => html`${index > 0 && ', '}${typeOf(each)}`)}.</p>`}
${formsOf(schema)}${members.length > 0 && fieldList(members)}</section>`;
}

/** Objects referenced by the fields, each once. Error codes have a separate page. */
function objects(reference: ApiReference, schemas: ReferenceSchema[]): Html {
  const found = new Set<string>();
  for (const schema of schemas) namesIn(reference, schema, found);
  found.delete('ErrorCode');
  if (found.size === 0) return html``;
  return html`<h2 id="objects">Objects</h2>${[...found].map(name => objectView(reference, name))}`;
}

function tagPage(reference: ApiReference, tag: string, description: string): ReferencePage {
  const operations = reference.operationsOf(tag);
  const answers = operations.flatMap(({ answers }) =>
    answers.flatMap(([status, { content }]) =>
      status.startsWith('2') ? (content?.['application/json']?.schema ?? []) : [],
    ),
  );
  // Bodies are rendered with their operation; only the objects that they reference are listed here.
  const bodies = operations.flatMap(({ body }) =>
    body ? Object.values(reference.resolve(body.schema).properties ?? {}) : [],
  );
  return {
    path: `/docs/${tag}`,
    title: titleOfTag(tag),
    body: html`<h1>${titleOfTag(tag)}</h1><p class="lead">${description}</p>
${operations.map(operation => operationView(reference, operation))}
${objects(reference, [...answers, ...bodies])}`,
  };
}

const overview = (reference: ApiReference, url: string): ReferencePage => ({
  path: '/docs',
  title: 'API reference',
  body: html`<h1>API reference</h1>
${introduction}
<h2 id="examples">Examples</h2>
<p>Every operation has runnable examples in curl, Node and Python. They need no packages and read these environment
variables. IDs in a path or a body, such as <code>CUSTOMER_ID</code>, are also environment variables.</p>
<pre tabindex="0"><code>export RECAUDO_URL=${url} MERCHANT_ID=… PRIVATE_KEY=sk_…
</code></pre>
<h2 id="operations">Operations</h2>
${reference.tags.map(
  ({ name, description }) => html`<h3 id="${name}"><a href="/docs/${name}">${titleOfTag(name)}</a></h3>
<p>${description}</p>
<ul class="index">${reference
    .operationsOf(name)
    .map(
      ({ id, method, path, summary }) =>
        html`<li><b class="method ${method.toLowerCase()}">${method}</b> <a href="/docs/${name}#${id}">${path.replace('/v1/{merchant_id}', '') || '/'}</a> <span>${summary}</span></li>`,
    )}</ul>`,
)}
<p>The same reference is available as an <a href="/openapi.json">OpenAPI document</a>.</p>`,
});

const errorsPage = (reference: ApiReference): ReferencePage => ({
  path: '/docs/errors',
  title: 'Errors',
  body: html`<h1>Errors</h1>
<p class="lead">Every error has this format: in the body over REST, in <code>extensions</code> over GraphQL.</p>
${fieldList(membersOf(reference.schema('Error')))}
<pre tabindex="0"><code>${JSON.stringify(reference.schema('Error').examples?.[0], null, 2)}
</code></pre>
<h2 id="codes">Codes</h2>
<div class="wide" tabindex="0"><table><thead><tr><th>Code</th><th>HTTP</th><th>Category</th><th>Description</th></tr></thead>
<tbody>${ERRORS.map(
    ({ code, status, category, text }) =>
      html`<tr><td><code>${code}</code></td><td>${status}</td><td>${category}</td><td>${text}</td></tr>`,
  )}</tbody></table></div>
<p><a href="/docs/guides/api#errors">How to handle errors</a></p>`,
});

const eventsPage = (reference: ApiReference): ReferencePage => ({
  path: '/docs/events',
  title: 'Events',
  body: html`<h1>Events</h1>
<p class="lead">Events are sent to <a href="/docs/webhooks">webhooks</a> as <a href="/docs/events#Message">messages</a>
and listed at <a href="/docs/events#event-list">GET /events</a>.</p>
<div class="wide" tabindex="0"><table><thead><tr><th>Type</th><th>Occasion</th><th>Message</th></tr></thead>
<tbody>${reference.events.map(
    ({ type, occasion, schema }) =>
      html`<tr><td><code>${type}</code></td><td>${occasion}</td><td><a href="#${nameOfReference(schema)}">${nameOfReference(schema)}</a></td></tr>`,
  )}</tbody></table></div>
${sectionOf('webhooks', 'verifying-signatures')}
<h2 id="event-list">Reading events</h2>
${reference.operationsOf('events').map(operation => operationView(reference, operation))}
${objects(reference, [{ $ref: '#/components/schemas/Message' }, { $ref: '#/components/schemas/Event' }])}`,
});

const guidePage = (name: string): ReferencePage => {
  const guide = guideOf(name);
  return { path: `/docs/guides/${name}`, title: guide?.title ?? name, body: new Html(guide?.html ?? '') };
};

export const referencePages = (reference: ApiReference, url: string): ReferencePage[] => [
  overview(reference, url),
  ...reference.tags
    .filter(({ name }) => name !== 'events')
    .map(({ name, description }) => tagPage(reference, name, description)),
  errorsPage(reference),
  eventsPage(reference),
  ...guideNames.map(guidePage),
];
