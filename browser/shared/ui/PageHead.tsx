import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

interface PageHeadProps {
  title: ComponentChildren;
  /** The document title if `title` is not a string. */
  name?: string;
  action?: ComponentChildren;
  children?: ComponentChildren;
}

export function PageHead({
  title,
  name = typeof title === 'string' ? title : undefined,
  action,
  children,
}: PageHeadProps) {
  useEffect(() => {
    document.title = name ? `${name} – recaudo` : 'recaudo';
  }, [name]);
  return (
    <header class="page-head">
      <h1>{title}</h1>
      {children}
      <span class="actions">{action}</span>
    </header>
  );
}
