/** What lies over every screen: the palette, and the drawer for developers. One at a time. */
import { signal } from '@preact/signals';

type Overlay = 'palette' | 'developer';

export const overlay = signal<Overlay | undefined>(undefined);

export function openOverlay(which: Overlay): void {
  overlay.value = overlay.value === which ? undefined : which;
}

export const closeOverlay = (): void => {
  overlay.value = undefined;
};

/** The screen whose primary action is to open by itself: at once where it is there already, or as soon as it is. */
const wanted = signal<string | undefined>(undefined);
export const wantPrimary = (path: string): void => {
  wanted.value = path;
};
/** Opens the primary action of this screen when it is wanted, which it is once. Returns what ends it. */
export const onPrimaryWanted = (open: () => void): (() => void) =>
  wanted.subscribe(path => {
    if (path === undefined || location.pathname !== `/dashboard${path}`) return;
    wanted.value = undefined;
    open();
  });

addEventListener('keydown', event => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
    event.preventDefault();
    openOverlay('palette');
  }
});
