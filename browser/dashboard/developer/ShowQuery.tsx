import braces from 'lucide-static/icons/braces.svg';
import { Icon } from '../ui/Icon';
import { showQuery } from './figure';
import { t } from './texts';

interface ShowQueryProps {
  /** What the figure is called. */
  name: string;
  fields: readonly string[];
}

/** Stands within a figure, and is seen while somebody points at it or reaches it by the keyboard. */
export const ShowQuery = ({ name, fields }: ShowQueryProps) => (
  <button type="button" class="quiet show-query" title={t.show} onClick={() => showQuery(name, fields)}>
    <Icon svg={braces} label={`${t.show}: ${name}`} />
  </button>
);
