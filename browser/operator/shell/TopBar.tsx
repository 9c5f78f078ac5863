/** The bar above every page: where one is, the search, and the session. */
import { Link, useLocation } from 'wouter-preact';
import { changeLanguage, otherLanguage } from '../../shared/language';
import { signInTexts } from '../../shared/signInTexts';
import { Button } from '../../shared/ui/Button';
import { ThemeButton } from '../../shared/ui/ThemeButton';
import { operations, operator, signOut } from '../state';
import { alertsOf } from '../status/alerts';
import { t } from '../texts';
import { pathOf } from './ObjectId';

const PAGES = [
  ['/', t.title],
  ['/overdue', t.overdue],
  ['/merchants', t.merchants],
  ['/requests', t.requests],
  ['/bulk', t.bulk],
] as const;

export function TopBar() {
  const [path, navigate] = useLocation();
  const isHere = (page: string): boolean => (page === '/' ? path === '/' : path.startsWith(page));
  const alerts = operations.value ? alertsOf(operations.value).length : 0;
  const find = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const text = String(new FormData(form).get('find')).trim();
    if (!text) return;
    navigate(pathOf(text) ?? `/merchants?${new URLSearchParams({ find: text })}`);
    form.reset();
  };
  return (
    <header class="top">
      <a class="mark" href="/operator">
        recaudo
      </a>
      <nav class="pages-nav" aria-label={t.pages}>
        {PAGES.map(([page, name]) => (
          <Link key={page} href={page} aria-current={isHere(page) ? 'page' : undefined}>
            {name}
            {page === '/' && alerts > 0 && <span class="count">{alerts}</span>}
          </Link>
        ))}
      </nav>
      <form class="finder" onSubmit={find}>
        <input name="find" type="search" aria-label={t.find} placeholder={t.find} maxLength={100} />
        <Button>{t.search}</Button>
      </form>
      <span class="hint who">{operator.value?.name}</span>
      <button type="button" class="quiet" lang={otherLanguage.code} onClick={changeLanguage}>
        {otherLanguage.name}
      </button>
      <ThemeButton />
      <button type="button" class="quiet" onClick={signOut}>
        {signInTexts.signOut}
      </button>
    </header>
  );
}
