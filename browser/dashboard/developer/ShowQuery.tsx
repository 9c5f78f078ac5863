import braces from 'lucide-static/icons/braces.svg';
import { IconButton } from '../../shared/ui/IconButton';
import { showQuery } from './figure';
import { t } from './texts';

interface ShowQueryProps {
  name: string;
  fields: readonly string[];
}

/** Visible while the figure is hovered or focused. */
export const ShowQuery = ({ name, fields }: ShowQueryProps) => (
  <IconButton
    svg={braces}
    label={`${t.show}: ${name}`}
    title={t.show}
    class="show-query"
    onClick={() => showQuery(name, fields)}
  />
);
