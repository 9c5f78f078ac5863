/** The screens in the navigation, in order. */
import arrowDownToLine from 'lucide-static/icons/arrow-down-to-line.svg';
import calendarSync from 'lucide-static/icons/calendar-sync.svg';
import creditCard from 'lucide-static/icons/credit-card.svg';
import house from 'lucide-static/icons/house.svg';
import keyRound from 'lucide-static/icons/key-round.svg';
import landmark from 'lucide-static/icons/landmark.svg';
import link from 'lucide-static/icons/link.svg';
import notebookText from 'lucide-static/icons/notebook-text.svg';
import radio from 'lucide-static/icons/radio.svg';
import scrollText from 'lucide-static/icons/scroll-text.svg';
import settings from 'lucide-static/icons/settings.svg';
import shieldAlert from 'lucide-static/icons/shield-alert.svg';
import tags from 'lucide-static/icons/tags.svg';
import ticketPercent from 'lucide-static/icons/ticket-percent.svg';
import users from 'lucide-static/icons/users.svg';
import webhook from 'lucide-static/icons/webhook.svg';
import { t } from './texts';

export interface NavigationItem {
  path: string;
  name: string;
  icon: string;
}

const item = (path: string, name: string, icon: string): NavigationItem => ({ path, name, icon });

export const navigation: NavigationItem[] = [
  item('/', t.rail.today, house),
  item('/subscriptions', t.rail.subscriptions, calendarSync),
  item('/customers', t.rail.customers, users),
  item('/charges', t.rail.charges, creditCard),
  item('/links', t.rail.links, link),
  item('/plans', t.rail.plans, tags),
  item('/coupons', t.rail.coupons, ticketPercent),
  item('/webhooks', t.rail.webhooks, webhook),
  item('/events', t.rail.events, radio),
  item('/settlements', t.rail.settlements, landmark),
  item('/payouts', t.rail.payouts, arrowDownToLine),
  item('/statement', t.rail.statement, notebookText),
  item('/keys', t.rail.keys, keyRound),
  item('/fraud', t.rail.fraud, shieldAlert),
  item('/audit', t.rail.audit, scrollText),
  item('/settings', t.rail.settings, settings),
];
/** Screens in the bar of phones; the remaining ones are under "more". */
export const MAX_ITEMS_ON_PHONE = 4;
