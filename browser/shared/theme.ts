/** Follows the system until the user chooses a theme. All pages share the choice. */
import { signal } from '@preact/signals';
import { load, save } from './storage';

type Theme = 'system' | 'light' | 'dark';
export const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

const KEY = 'dashboard.theme';
const chosen = (): Theme => THEMES.find(name => name === load(KEY, 'system')) ?? 'system';

export const theme = signal<Theme>(chosen());

theme.subscribe(name => {
  document.documentElement.dataset.theme = name;
});
// Changes from other tabs.
addEventListener('storage', () => {
  theme.value = chosen();
});

export function chooseTheme(name: Theme): void {
  theme.value = name;
  save(KEY, name);
}
