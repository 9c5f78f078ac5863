/** The palette and the developer tools. Only one is open at a time. */
import { signal } from '@preact/signals';

type Overlay = 'palette' | 'developer';

export const overlay = signal<Overlay | undefined>(undefined);

export function openOverlay(which: Overlay): void {
  overlay.value = overlay.value === which ? undefined : which;
}

export const closeOverlay = (): void => {
  overlay.value = undefined;
};

/** The screen whose primary action opens when the screen is mounted. */
const requestedAction = signal<string | undefined>(undefined);
export const requestPrimaryAction = (path: string): void => {
  requestedAction.value = path;
};
/** Returns the function that removes the listener. */
export const onPrimaryActionRequest = (open: () => void): (() => void) =>
  requestedAction.subscribe(path => {
    if (path === undefined || location.pathname !== `/dashboard${path}`) return;
    requestedAction.value = undefined;
    open();
  });

addEventListener('keydown', event => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
    event.preventDefault();
    openOverlay('palette');
  }
});
