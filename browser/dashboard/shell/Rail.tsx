import menu from 'lucide-static/icons/menu.svg';
import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { Icon } from '../../shared/ui/Icon';
import { MAX_ITEMS_ON_PHONE, type NavigationItem, navigation } from './navigation';
import { t } from './texts';

const isHere = (path: string, location: string): boolean =>
  path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`);

/** On phones, a bar at the bottom with the first screens. */
export function Rail() {
  const [location] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const way = ({ path, name, icon }: NavigationItem, i: number) => (
    <li key={path} class={i >= MAX_ITEMS_ON_PHONE ? 'further' : ''}>
      <Link href={path} aria-current={isHere(path, location) ? 'page' : undefined} onClick={() => setOpen(false)}>
        <Icon svg={icon} />
        <span>{name}</span>
      </Link>
    </li>
  );
  return (
    <nav
      class="rail"
      aria-label={t.main}
      data-open={isOpen}
      onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}
    >
      <ul>
        {navigation.map(way)}
        <li class="more">
          <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <Icon svg={menu} />
            <span>{t.rail.more}</span>
          </button>
        </li>
      </ul>
    </nav>
  );
}
