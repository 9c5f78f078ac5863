import contrast from 'lucide-static/icons/contrast.svg';
import moon from 'lucide-static/icons/moon.svg';
import sun from 'lucide-static/icons/sun.svg';
import { pick } from '../language';
import { chooseTheme, THEMES, theme } from '../theme';
import { IconButton } from './IconButton';

const t = pick({ es: { theme: 'Tema' }, en: { theme: 'Theme' } });

export const themeNames = pick({
  es: { system: 'Del sistema', light: 'Claro', dark: 'Oscuro' },
  en: { system: 'System', light: 'Light', dark: 'Dark' },
});

const icons = { system: contrast, light: sun, dark: moon };

/** Switches from one theme to the next, starting with that of the system. */
export function ThemeButton() {
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';
  const label = `${t.theme}: ${themeNames[theme.value].toLowerCase()}`;
  return <IconButton svg={icons[theme.value]} label={label} onClick={() => chooseTheme(next)} />;
}
