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

/** The screen whose primary action is to open by itself, once it is there. */
let wanted: string | undefined;
export const wantPrimary = (path: string): void => {
  wanted = path;
};
/** Whether it is that of this screen, which it is once. */
export function isPrimaryWanted(): boolean {
  const isHere = location.pathname === `/dashboard${wanted}`;
  if (isHere) wanted = undefined;
  return isHere;
}

addEventListener('keydown', event => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
    event.preventDefault();
    openOverlay('palette');
  }
});
