import braces from 'lucide-static/icons/braces.svg';
import { Icon } from '../../shared/ui/Icon';
import { showQuery } from './figure';
import { t } from './texts';

interface ShowQueryProps {
  name: string;
  fields: readonly string[];
}

/** Visible while the figure is hovered or focused. */
export const ShowQuery = ({ name, fields }: ShowQueryProps) => (
  <button type="button" class="quiet show-query" title={t.show} onClick={() => showQuery(name, fields)}>
    <Icon svg={braces} label={`${t.show}: ${name}`} />
  </button>
);
