/** Renders the properties of an object: name, type, required, description. */
import { type Html, html } from '../../platform/html';
import { type ApiReference, mayBeNull, nameOfReference, type ReferenceSchema, withoutNull } from './document';

/** Renders text in backticks as code. */
export const inline = (text: string): Html[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));

/** Error codes link to their page. */
const linkToSchema = (name: string): Html =>
  html`<a href="${name === 'ErrorCode' ? '/docs/errors#codes' : `#${name}`}">${name}</a>`;

/** Type of a property; objects link to their section. */
export function typeOf(schema: ReferenceSchema): Html {
  const proper = withoutNull(schema);
  const name = nameOfReference(proper);
  if (name) return linkToSchema(name);
  if (proper.const !== undefined) return html`<code>${JSON.stringify(proper.const)}</code>`;
  if (proper.items) return html`list of ${typeOf(proper.items)}`;
  const choices = proper.anyOf ?? proper.oneOf;
  if (choices && !proper.properties) {
    const kinds = choices.filter(({ type }) => type !== 'null').map(typeOf);
    return html`${kinds.map((kind, index) => html`${index > 0 && ' or '}${kind}`)}`;
  }
  const type = [proper.type ?? 'object'].flat().filter(each => each !== 'null');
  if (proper.additionalProperties) return html`map of texts`;
  return html`${proper.format && proper.format !== 'uri' ? proper.format : type.join(' or ')}`;
}

/** Higher limits are storage limits and are not shown. */
const MAX_TELLING = 1_000_000_000;

/** Constraints that are useful to readers. */
function limitsOf(schema: ReferenceSchema): string[] {
  const { minimum, maximum, maxLength, maxItems, default: usual } = withoutNull(schema);
  return [
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && maximum < MAX_TELLING && `at most ${maximum}`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    maxItems !== undefined && `at most ${maxItems}`,
    usual !== undefined && usual !== null && `default ${JSON.stringify(usual)}`,
  ].filter(limit => typeof limit === 'string');
}

function wordsOf(schema: ReferenceSchema): Html {
  const proper = withoutNull(schema);
  const words = (proper.enum ?? proper.items?.enum ?? []).filter(word => word !== null);
  if (words.length < 2) return html``;
  return html`<p class="words">${words.map(word => html`<code>${String(word)}</code> `)}</p>`;
}

interface NamedField {
  name: string;
  schema: ReferenceSchema;
  required: boolean;
  description?: string | undefined;
}

const field = ({ name, schema, required, description = schema.description }: NamedField): Html => {
  const limits = limitsOf(schema);
  return html`<div class="member"><dt><code>${name}</code> <span class="type">${typeOf(schema)}</span>${
    required ? html` <span class="must">required</span>` : mayBeNull(schema) && html` <span class="type">or null</span>`
  }</dt><dd>${description && html`<p>${inline(description)}</p>`}${wordsOf(schema)}${
    limits.length > 0 && html`<p class="limits">${limits.join(', ')}</p>`
  }</dd></div>`;
};

export const fieldList = (fields: NamedField[]): Html => html`<dl class="members">${fields.map(field)}</dl>`;

export const membersOf = ({ properties = {}, required = [] }: ReferenceSchema): NamedField[] =>
  Object.entries(properties)
    // Properties that can only be null cannot be sent.
    .filter(([, schema]) => schema.type !== 'null')
    .map(([name, schema]) => ({ name, schema, required: required.includes(name) }));

/** Required properties of each variant of a body. */
export function formsOf({ oneOf = [] }: ReferenceSchema): Html {
  const forms = oneOf.filter(({ title }) => title);
  if (forms.length === 0) return html``;
  return html`<p>One of these forms:</p><ul class="forms">${forms.map(({ title = '', required = [] }) => {
    const members = required.map((name, index) => html`${index > 0 && ', '}<code>${name}</code>`);
    return html`<li>${title}${members.length > 0 && html`: ${members}`}</li>`;
  })}</ul>`;
}

/** Names of all referenced objects, in order of appearance. */
export function namesIn(reference: ApiReference, schema: ReferenceSchema | undefined, found: Set<string>): Set<string> {
  if (!schema) return found;
  const name = nameOfReference(schema);
  if (name && found.has(name)) return found;
  if (name) found.add(name);
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = reference.resolve(schema);
  for (const part of [...Object.values(properties), ...(items ? [items] : []), ...anyOf, ...oneOf, ...allOf])
    namesIn(reference, part, found);
  return found;
}
