/** The screens and actions in the palette. */
import arrowRight from 'lucide-static/icons/arrow-right.svg';
import plus from 'lucide-static/icons/plus.svg';
import zap from 'lucide-static/icons/zap.svg';
import { changeLanguage } from '../../shared/language';
import { signInTexts } from '../../shared/signInTexts';
import { chooseTheme } from '../../shared/theme';
import { leave } from '../shell/AccountMenu';
import { navigation } from '../shell/navigation';
import { openOverlay, requestPrimaryAction } from '../shell/overlays';
import { canWrite, session } from '../shell/session';
import { t } from './texts';

export interface Choice {
  key: string;
  group: string;
  icon: string;
  text: string;
  /** Distinguishes choices with the same text. */
  hint?: string;
  run: (navigate: (path: string) => void) => void;
}

const goTo = (path: string, text: string, icon = arrowRight): Choice => ({
  key: path,
  group: t.screens,
  icon,
  text,
  run: navigate => navigate(path),
});

/** Opens the dialog of the primary action of the screen. */
const create = (path: string, text: string): Choice => ({
  key: `create${path}`,
  group: t.actions,
  icon: plus,
  text,
  run: navigate => {
    requestPrimaryAction(path);
    navigate(path);
  },
});

const action = (key: string, text: string, run: () => void): Choice => ({
  key,
  group: t.actions,
  icon: zap,
  text,
  run,
});

const everywhere = (): Choice[] => [
  ...navigation.map(({ path, name, icon }) => goTo(path, name, icon)),
  goTo('/statement', t.statement),
  goTo('/settings', t.settings),
  ...(session.value?.environment === 'sandbox' ? [goTo('/live', t.live)] : []),
  ...(canWrite()
    ? [
        create('/plans', t.createPlan),
        create('/coupons', t.createCoupon),
        create('/links', t.createLink),
        create('/customers', t.createCustomer),
        create('/webhooks', t.createWebhook),
        create('/keys', t.createKey),
      ]
    : []),
  action('developer', t.developer, () => openOverlay('developer')),
  ...(session.value?.environment === 'sandbox'
    ? [action('explorer', t.explorer, () => location.assign('/graphql'))]
    : []),
  action('reference', t.reference, () => location.assign('/docs')),
  action('light', t.light, () => chooseTheme('light')),
  action('dark', t.dark, () => chooseTheme('dark')),
  action('language', t.language, changeLanguage),
  action('sign-out', signInTexts.signOut, leave),
];

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Every entered word is the prefix of a word of the text. */
export function choicesFor(text: string): Choice[] {
  const typed = plain(text).split(/\s+/).filter(Boolean);
  return everywhere().filter(choice => {
    const words = plain(`${choice.group} ${choice.text}`).split(/\s+/);
    return typed.every(part => words.some(word => word.startsWith(part)));
  });
}
