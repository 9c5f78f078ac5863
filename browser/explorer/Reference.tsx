/** The documentation of the schema: operations and types, with a search. */
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
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../shared/ui/Button';
import { openDraft } from './commands';
import { draftOf, OPERATIONS, operationOf } from './operations';
import { t } from './texts';
import { focusRequest, goBack, goTo, type Place, searched, visited } from './view';

const MAX_FOUND = 60;

type OutputField = GraphQLField<unknown, unknown>;

export function Reference({ schema }: { schema: GraphQLSchema }) {
  const host = useRef<HTMLDivElement>(null);
  const page = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const requested = focusRequest.value;
  useLayoutEffect(() => {
    if (requested === 'search') search.current?.focus();
    if (requested === 'page') {
      host.current?.scrollTo(0, 0);
      page.current?.focus({ preventScroll: true });
    }
    focusRequest.value = undefined;
  }, [requested]);
  const words = searched.value.trim();
  const place = visited.value.at(-1);
  return (
    <div ref={host} class="scroll">
      <div class="search">
        <input
          ref={search}
          type="search"
          placeholder={t.search}
          aria-label={t.search}
          value={searched.value}
          onInput={({ currentTarget }) => {
            searched.value = currentTarget.value;
          }}
        />
      </div>
      <div ref={page} class="reference" tabIndex={-1}>
        {words ? (
          <Found schema={schema} words={words} />
        ) : (
          <>
            {place && (
              <Button type="button" onClick={goBack}>
                ← {t.back}
              </Button>
            )}
            <PlacePage schema={schema} place={place ?? {}} />
          </>
        )}
      </div>
    </div>
  );
}

function PlacePage({ schema, place }: { schema: GraphQLSchema; place: Place }) {
  const type = schema.getType(place.type ?? '');
  if (!type) return <Home schema={schema} />;
  const field = fieldsOf(type).find(({ name }) => name === place.field);
  return field ? <FieldPage schema={schema} type={type} field={field} /> : <TypePage type={type} />;
}

const Home = ({ schema }: { schema: GraphQLSchema }) => (
  <>
    <h2 class="unseen">{t.reference}</h2>
    {OPERATIONS.map(operation => {
      const root = schema.getRootType(operation);
      return (
        root && <Items key={operation} title={t[operation]} items={fieldsOf(root).map(field => linked(root, field))} />
      );
    })}
  </>
);

function TypePage({ type }: { type: GraphQLNamedType }) {
  const values = isEnumType(type) ? type.getValues() : [];
  const inputs = isInputObjectType(type) ? Object.values(type.getFields()) : [];
  const fields = fieldsOf(type).map(field => (field.args.length > 0 ? linked(type, field) : plain(field)));
  return (
    <>
      <h2>{type.name}</h2>
      <Described text={type.description} />
      <Items title={t.fields} items={[...fields, ...inputs.map(plain)]} />
      <Items
        title={t.values}
        items={values.map(({ name, description }) => (
          <li key={name}>
            <code class="name">{name}</code>
            <Described text={description} />
          </li>
        ))}
      />
    </>
  );
}

function FieldPage({ schema, type, field }: { schema: GraphQLSchema; type: GraphQLNamedType; field: OutputField }) {
  const operation = operationOf(schema, type.name);
  return (
    <>
      <h2>{operation ? field.name : `${type.name}.${field.name}`}</h2>
      <Described text={field.description} />
      {operation && (
        <Button type="button" kind="primary" onClick={() => openDraft(draftOf(operation, field))}>
          {t.open}
        </Button>
      )}
      <section>
        <h3>{t.returns}</h3>
        <p>
          <TypeLink type={field.type} />
        </p>
      </section>
      <Items title={t.arguments} items={field.args.map(plain)} />
    </>
  );
}

function Found({ schema, words }: { schema: GraphQLSchema; words: string }) {
  const matches = (text: string): boolean => text.toLowerCase().includes(words.toLowerCase());
  const roots = OPERATIONS.flatMap(operation => schema.getRootType(operation) ?? []);
  const operations = roots
    .flatMap(root => fieldsOf(root).map(field => ({ root, field })))
    .filter(({ field }) => matches(`${field.name} ${field.description ?? ''}`))
    .slice(0, MAX_FOUND);
  const types = Object.values(schema.getTypeMap())
    .filter(type => matches(type.name) && !type.name.startsWith('__') && !roots.some(root => root === type))
    .slice(0, MAX_FOUND);
  if (operations.length + types.length === 0) return <p class="hint">{t.nothingFound}</p>;
  return (
    <>
      <h2 class="unseen">{t.search}</h2>
      <Items title={t.operation} items={operations.map(({ root, field }) => linked(root, field))} />
      <Items
        title={t.types}
        items={types.map(({ name, description }) => (
          <li key={name}>
            <PlaceLink place={{ type: name }} kind="type" name={name} />
            <Described text={description} />
          </li>
        ))}
      />
    </>
  );
}

const fieldsOf = (type: GraphQLNamedType): OutputField[] => (isObjectType(type) ? Object.values(type.getFields()) : []);

type AnyField = OutputField | GraphQLInputField | GraphQLArgument;

/** `place` is the page of the field, if it has one. */
const fieldItem = ({ name, type, description, deprecationReason }: AnyField, place?: Place) => (
  <li key={name}>
    {place ? <PlaceLink place={place} kind="name" name={name} /> : <code class="name">{name}</code>}{' '}
    <TypeLink type={type} />
    <Described text={description} />
    {deprecationReason && <span class="old">{`${t.deprecated}: ${deprecationReason}`}</span>}
  </li>
);

const linked = ({ name }: GraphQLNamedType, field: OutputField) => fieldItem(field, { type: name, field: field.name });
const plain = (field: AnyField) => fieldItem(field);

/** With brackets and exclamation marks around the link. */
function TypeLink({ type }: { type: GraphQLType }) {
  const { name } = getNamedType(type);
  const [before, after] = String(type).split(name);
  return (
    <code>
      {before}
      <PlaceLink place={{ type: name }} kind="type" name={name} />
      {after}
    </code>
  );
}

const PlaceLink = ({ place, kind, name }: { place: Place; kind: 'name' | 'type'; name: string }) => (
  <button type="button" class={`link ${kind}`} onClick={() => goTo(place)}>
    {name}
  </button>
);

const Described = ({ text }: { text: string | null | undefined }) => (text ? <p class="described">{text}</p> : null);

const Items = ({ title, items }: { title: string; items: readonly ComponentChildren[] }) =>
  items.length > 0 ? (
    <section>
      <h3>{title}</h3>
      <ul>{items}</ul>
    </section>
  ) : null;
