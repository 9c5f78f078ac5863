import type { ComponentChildren } from 'preact';
import { ShowQuery } from '../developer/ShowQuery';

export type Fact = readonly [name: string, value: ComponentChildren];

/** What is known of a thing. What is not known has no line. */
export const Facts = ({ of }: { of: readonly Fact[] }) => (
  <dl class="facts">
    {of
      .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

export const Section = ({
  title,
  action,
  fields,
  children,
}: {
  title: string;
  action?: ComponentChildren;
  /** What its figures are made of, as paths of the answer. */
  fields?: readonly string[] | undefined;
  children: ComponentChildren;
}) => (
  <section class="card section" aria-label={title}>
    <header>
      <h2>{title}</h2>
      {fields && <ShowQuery name={title} fields={fields} />}
      {action}
    </header>
    {children}
  </section>
);

/** An identifier that one wants to copy. */
export const Id = ({ id }: { id: string }) => <code class="id">{id}</code>;
