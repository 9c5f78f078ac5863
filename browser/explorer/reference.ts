/** The documentation of the schema: what can be asked, changed and followed, type by type, with a search. */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import { el } from './dom';
import { draftOf, OPERATIONS, operationOf } from './operations';
import type { Draft } from './storage';
import { t } from './texts';

const MAX_FOUND = 60;

interface Place {
  type?: string | undefined;
  field?: string | undefined;
}

type AnyField = GraphQLField<unknown, unknown> | GraphQLInputField | GraphQLArgument;

export function createReference(schema: GraphQLSchema, openDraft: (draft: Draft) => void) {
  const visited: Place[] = [];
  const search = el('input', { type: 'search', placeholder: t.search, 'aria-label': t.search, oninput: () => show() });
  const page = el('div', { class: 'reference', tabindex: '-1' });
  const host = el('div', { class: 'scroll' }, el('div', { class: 'search' }, search), page);

  const goTo = (place: Place): void => {
    search.value = '';
    visited.push(place);
    show();
    host.scrollTop = 0;
    page.focus({ preventScroll: true });
  };
  const linkTo = (place: Place, text: string, kind: string): HTMLElement =>
    el('button', { type: 'button', class: `link ${kind}`, onclick: () => goTo(place) }, text);

  /** With its brackets and exclamation marks around the link. */
  function typeLink(type: GraphQLType): HTMLElement {
    const { name } = getNamedType(type);
    const [before, after] = String(type).split(name);
    return el('code', {}, before, linkTo({ type: name }, name, 'type'), after);
  }

  const described = (text: string | null | undefined): HTMLElement | undefined =>
    text ? el('p', { class: 'described' }, text) : undefined;
  const section = (title: string, items: HTMLElement[]): HTMLElement | undefined =>
    items.length > 0 ? el('section', {}, el('h3', {}, title), el('ul', {}, ...items)) : undefined;

  function fieldItem(field: AnyField, place?: Place): HTMLElement {
    const name = place ? linkTo(place, field.name, 'name') : el('code', { class: 'name' }, field.name);
    const isOld = Boolean(field.deprecationReason);
    const mark = isOld && el('span', { class: 'old' }, `${t.deprecated}: ${field.deprecationReason}`);
    return el('li', {}, name, ' ', typeLink(field.type), described(field.description), mark);
  }

  const fieldsOf = (type: GraphQLNamedType): GraphQLField<unknown, unknown>[] =>
    isObjectType(type) ? Object.values(type.getFields()) : [];

  const home = (): (HTMLElement | undefined)[] =>
    OPERATIONS.map(operation => {
      const root = schema.getRootType(operation);
      if (!root) return undefined;
      return section(
        t[operation],
        fieldsOf(root).map(field => fieldItem(field, { type: root.name, field: field.name })),
      );
    });

  function typePage(type: GraphQLNamedType): (HTMLElement | undefined)[] {
    const values = isEnumType(type) ? type.getValues() : [];
    const inputs = isInputObjectType(type) ? Object.values(type.getFields()) : [];
    const place = (name: string) => ({ type: type.name, field: name });
    return [
      el('h2', {}, type.name),
      described(type.description),
      section(t.fields, [
        ...fieldsOf(type).map(field => fieldItem(field, field.args.length > 0 ? place(field.name) : undefined)),
        ...inputs.map(field => fieldItem(field)),
      ]),
      section(
        t.values,
        values.map(({ name, description }) =>
          el('li', {}, el('code', { class: 'name' }, name), described(description)),
        ),
      ),
    ];
  }

  function fieldPage(type: GraphQLNamedType, field: GraphQLField<unknown, unknown>): (HTMLElement | undefined)[] {
    const operation = operationOf(schema, type.name);
    const open = (): void => operation && openDraft(draftOf(operation, field));
    return [
      el('h2', {}, operation ? field.name : `${type.name}.${field.name}`),
      described(field.description),
      operation && el('button', { type: 'button', class: 'primary', onclick: open }, t.open),
      el('section', {}, el('h3', {}, t.returns), el('p', {}, typeLink(field.type))),
      section(
        t.arguments,
        field.args.map(argument => fieldItem(argument)),
      ),
    ];
  }

  function found(words: string): (HTMLElement | undefined)[] {
    const matches = (text: string): boolean => text.toLowerCase().includes(words.toLowerCase());
    const roots = OPERATIONS.flatMap(operation => schema.getRootType(operation) ?? []);
    const fields = roots.flatMap(root => fieldsOf(root).map(field => ({ root, field })));
    const types = Object.values(schema.getTypeMap()).filter(
      type => !type.name.startsWith('__') && !roots.some(root => root === type),
    );
    const byName = types.filter(({ name }) => matches(name)).slice(0, MAX_FOUND);
    const results = [
      section(
        t.operation,
        fields
          .filter(({ field }) => matches(`${field.name} ${field.description ?? ''}`))
          .slice(0, MAX_FOUND)
          .map(({ root, field }) => fieldItem(field, { type: root.name, field: field.name })),
      ),
      section(
        t.types,
        byName.map(({ name, description }) =>
          el('li', {}, linkTo({ type: name }, name, 'type'), described(description)),
        ),
      ),
    ];
    return results.some(Boolean)
      ? [el('h2', { class: 'unseen' }, t.search), ...results]
      : [el('p', { class: 'hint' }, t.nothingFound)];
  }

  function contentOf({ type: name = '', field: fieldName }: Place): (HTMLElement | undefined)[] {
    const type = schema.getType(name);
    if (!type) return [el('h2', { class: 'unseen' }, t.reference), ...home()];
    const field = fieldsOf(type).find(({ name }) => name === fieldName);
    return field ? fieldPage(type, field) : typePage(type);
  }

  function show(): void {
    const words = search.value.trim();
    const place = visited.at(-1);
    const goBack = (): void => {
      visited.pop();
      show();
    };
    const back = place && el('button', { type: 'button', class: 'plain back', onclick: goBack }, `← ${t.back}`);
    const content = words ? found(words) : [back, ...contentOf(place ?? {})];
    page.replaceChildren(...content.filter(part => part !== undefined));
  }
  show();
  return { host, goTo, focusSearch: () => search.focus() };
}
