/** The developer tools: queries, events and deliveries, in a drawer that leaves the screen usable. */
import x from 'lucide-static/icons/x.svg';
import { useEffect, useRef, useState } from 'preact/hooks';
import { IconButton } from '../../shared/ui/IconButton';
import { TabPanel, Tabs } from '../../shared/ui/Tabs';
import { closeOverlay } from '../shell/overlays';
import { Deliveries } from './Deliveries';
import { Events } from './Events';
import { figure } from './figure';
import { Queries } from './Queries';
import { t } from './texts';

const PARTS = { queries: Queries, events: Events, deliveries: Deliveries };
type Part = keyof typeof PARTS;
const TABS = (Object.keys(PARTS) as Part[]).map(part => [part, t[part]] as const);
const PANEL = 'drawer-part';

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
    document.getElementById(PANEL)?.scrollTo(0, 0);
  }, [chosen]);
  return (
    <aside ref={drawer} class="drawer" aria-label={t.title} onKeyDown={({ key }) => key === 'Escape' && closeOverlay()}>
      <header>
        <Tabs label={t.title} tabs={TABS} chosen={part} panel={PANEL} choose={setPart} />
        <IconButton svg={x} label={t.close} onClick={closeOverlay} />
      </header>
      <TabPanel id={PANEL} chosen={part}>
        <Shown />
      </TabPanel>
    </aside>
  );
}
