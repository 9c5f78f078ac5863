import search from 'lucide-static/icons/search.svg';
import squareCode from 'lucide-static/icons/square-code.svg';
import { Link } from 'wouter-preact';
import { Icon } from '../../shared/ui/Icon';
import { IconButton } from '../../shared/ui/IconButton';
import { isLive } from '../api/live';
import { AccountMenu } from './AccountMenu';
import { openOverlay } from './overlays';
import { t } from './texts';

const keys = /mac/i.test(navigator.platform) ? '⌘ K' : 'Ctrl K';

export function TopBar() {
  const state = isLive.value ? t.live : t.notLive;
  return (
    <header class="top">
      <Link href="/" class="mark">
        recaudo
      </Link>
      <button type="button" class="find" aria-keyshortcuts="Control+K Meta+K" onClick={() => openOverlay('palette')}>
        <Icon svg={search} />
        <span>{t.find}</span>
        <span class="keys" aria-hidden="true">
          {keys}
        </span>
      </button>
      <span class="live" role="img" aria-label={state} title={state} data-live={isLive.value} />
      <IconButton svg={squareCode} label={t.developer} class="wide" onClick={() => openOverlay('developer')} />
      <AccountMenu />
    </header>
  );
}
