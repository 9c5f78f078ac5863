import { Link } from 'wouter-preact';
import { PageHead } from '../../shared/ui/PageHead';
import { t } from './texts';

export const NotFound = () => (
  <>
    <PageHead title={t.notFound} />
    <p>{t.notFoundHint}</p>
    <p>
      <Link href="/" class="button primary">
        {t.toToday}
      </Link>
    </p>
  </>
);
