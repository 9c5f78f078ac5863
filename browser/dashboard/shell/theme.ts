/** Light or dark: as the system has it, until somebody chooses. */
import { signal } from '@preact/signals';
import { load, save } from '../storage';

type Theme = 'system' | 'light' | 'dark';
export const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

const chosen = (): Theme => THEMES.find(name => name === load('theme', 'system')) ?? 'system';

export const theme = signal<Theme>(chosen());

theme.subscribe(name => {
  document.documentElement.dataset.theme = name;
});
// Another tab has changed it.
addEventListener('storage', () => {
  theme.value = chosen();
});

export function chooseTheme(name: Theme): void {
  theme.value = name;
  save('theme', name);
}
