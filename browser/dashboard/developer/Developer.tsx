/** The developer tools: queries, events and deliveries, in a drawer that leaves the screen usable. */
import x from 'lucide-static/icons/x.svg';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../../shared/ui/Icon';
import { closeOverlay } from '../shell/overlays';
import { Deliveries } from './Deliveries';
import { Events } from './Events';
import { figure } from './figure';
import { Queries } from './Queries';
import { t } from './texts';

const PARTS = { queries: Queries, events: Events, deliveries: Deliveries };
type Part = keyof typeof PARTS;
const NAMES = Object.keys(PARTS) as Part[];

export function Developer() {
  const [part, setPart] = useState<Part>('queries');
  const drawer = useRef<HTMLElement>(null);
  const Shown = PARTS[part];
  useEffect(() => {
    const before = document.activeElement;
    drawer.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus();
    return () => {
      figure.value = undefined;
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const chosen = figure.value;
  useEffect(() => {
    if (!chosen) return;
    setPart('queries');
    document.getElementById('drawer-part')?.scrollTo(0, 0);
  }, [chosen]);
  const walk = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = NAMES[(NAMES.indexOf(part) + step + NAMES.length) % NAMES.length] ?? part;
    setPart(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <aside ref={drawer} class="drawer" aria-label={t.title} onKeyDown={({ key }) => key === 'Escape' && closeOverlay()}>
      <header>
        <div role="tablist" aria-label={t.title} onKeyDown={walk}>
          {NAMES.map(name => (
            <button
              key={name}
              id={`tab-${name}`}
              type="button"
              role="tab"
              aria-selected={name === part}
              aria-controls="drawer-part"
              tabIndex={name === part ? 0 : -1}
              onClick={() => setPart(name)}
            >
              {t[name]}
            </button>
          ))}
        </div>
        <button type="button" class="quiet" title={t.close} onClick={closeOverlay}>
          <Icon svg={x} label={t.close} />
        </button>
      </header>
      <div id="drawer-part" role="tabpanel" aria-labelledby={`tab-${part}`}>
        <Shown />
      </div>
    </aside>
  );
}
