/** IDs that link to their page; the first letter of an ID is its type. */
import { Link } from 'wouter-preact';
import { Id } from '../../shared/ui/Facts';

const WHOLE = /^[a-z][a-z0-9]{19}$/;
const WITHIN = /\b([adejlmpst][a-z0-9]{19})\b/;
const WITH_STORY = 'adepst';

/** Undefined for an ID without a page. */
export function pathOf(id: string): string | undefined {
  if (!WHOLE.test(id)) return undefined;
  if (id.startsWith('m')) return `/merchants/${id}`;
  if (id.startsWith('l')) return `/requests/${id}`;
  if (id.startsWith('j')) return `/bulk/${id}`;
  return WITH_STORY.includes(id.charAt(0)) ? `/story/${id}` : undefined;
}

export function ObjectId({ id }: { id: string }) {
  const path = pathOf(id);
  if (!path) return <Id id={id} />;
  return (
    <Link href={path}>
      <Id id={id} />
    </Link>
  );
}

/** A text whose IDs are links, except that of the page itself. */
export const LinkedText = ({ text, own }: { text: string; own?: string }) => (
  <>
    {text.split(WITHIN).map((part, i) =>
      // Every second part is an ID.
      i % 2 === 1 && part !== own ? <ObjectId key={`${i} ${part}`} id={part} /> : part,
    )}
  </>
);
