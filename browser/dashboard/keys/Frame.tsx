import type { ComponentChildren } from 'preact';
import { Link, useLocation } from 'wouter-preact';
import { PageHead } from '../../shared/ui/PageHead';
import { Empty } from '../../shared/ui/States';
import { canWrite } from '../shell/session';
import { t } from './texts';

/** Read-only sessions may not see keys, sessions or the audit log. */
export const ForFullSessions = ({ title, children }: { title: string; children: ComponentChildren }) =>
  canWrite() ? (
    children
  ) : (
    <>
      <PageHead title={title} />
      <Empty title={t.noPermission} />
    </>
  );

export function Tabs() {
  const [location] = useLocation();
  const tab = (href: string, name: string) => (
    <Link href={href} aria-current={location === href ? 'page' : undefined}>
      {name}
    </Link>
  );
  return (
    <nav class="tabs" aria-label={`${t.keys}, ${t.sessions}`}>
      {tab('/keys', t.keys)}
      {tab('/keys/sessions', t.sessions)}
    </nav>
  );
}
