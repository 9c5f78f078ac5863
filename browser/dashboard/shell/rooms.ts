/** The screens in the navigation, in order. */
import arrowDownToLine from 'lucide-static/icons/arrow-down-to-line.svg';
import calendarSync from 'lucide-static/icons/calendar-sync.svg';
import creditCard from 'lucide-static/icons/credit-card.svg';
import house from 'lucide-static/icons/house.svg';
import keyRound from 'lucide-static/icons/key-round.svg';
import landmark from 'lucide-static/icons/landmark.svg';
import notebookText from 'lucide-static/icons/notebook-text.svg';
import radio from 'lucide-static/icons/radio.svg';
import scrollText from 'lucide-static/icons/scroll-text.svg';
import settings from 'lucide-static/icons/settings.svg';
import shieldAlert from 'lucide-static/icons/shield-alert.svg';
import tags from 'lucide-static/icons/tags.svg';
import users from 'lucide-static/icons/users.svg';
import webhook from 'lucide-static/icons/webhook.svg';
import { t } from './texts';

export interface Room {
  path: string;
  name: string;
  icon: string;
}

const room = (path: string, name: string, icon: string): Room => ({ path, name, icon });

export const rooms: Room[] = [
  room('/', t.rail.today, house),
  room('/subscriptions', t.rail.subscriptions, calendarSync),
  room('/customers', t.rail.customers, users),
  room('/charges', t.rail.charges, creditCard),
  room('/plans', t.rail.plans, tags),
  room('/webhooks', t.rail.webhooks, webhook),
  room('/events', t.rail.events, radio),
  room('/settlements', t.rail.settlements, landmark),
  room('/payouts', t.rail.payouts, arrowDownToLine),
  room('/statement', t.rail.statement, notebookText),
  room('/keys', t.rail.keys, keyRound),
  room('/fraud', t.rail.fraud, shieldAlert),
  room('/audit', t.rail.audit, scrollText),
  room('/settings', t.rail.settings, settings),
];
/** Screens in the bar of phones; the remaining ones are under "more". */
export const MAX_ROOMS_ON_PHONE = 4;
