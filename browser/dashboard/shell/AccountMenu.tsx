import circleUserRound from 'lucide-static/icons/circle-user-round.svg';
import { Link } from 'wouter-preact';
import { changeLanguage } from '../../shared/language';
import { chooseTheme, THEMES, theme } from '../../shared/theme';
import { Id } from '../../shared/ui/Facts';
import { Icon } from '../../shared/ui/Icon';
import { notify } from '../../shared/ui/notices';
import { Popover } from '../../shared/ui/Popover';
import { useMerchant } from '../api/merchant';
import { openOverlay } from './overlays';
import { mayChange, session, signOut } from './session';
import { t } from './texts';

export const leave = (): Promise<void> => signOut().catch(() => notify(t.stillSignedIn, 'bad'));

export function AccountMenu() {
  const merchant = useMerchant();
  const name = merchant?.name ?? t.account;
  const label = (
    <>
      <Icon svg={circleUserRound} />
      <span class="who">{name}</span>
      {!mayChange() && <small> · {t.readOnly}</small>}
    </>
  );
  return (
    <Popover label={label} title={t.account}>
      {close => (
        <div class="account">
          <strong>{name}</strong>
          <small>{merchant?.email}</small>
          <Id id={session.value?.merchant_id ?? ''} />
          <fieldset>
            <legend>{t.colours}</legend>
            {THEMES.map(choice => (
              <label key={choice} class="check">
                <input
                  type="radio"
                  name="theme"
                  checked={theme.value === choice}
                  onChange={() => chooseTheme(choice)}
                />
                {t.theme[choice]}
              </label>
            ))}
          </fieldset>
          <button type="button" class="item" lang={t.otherCode} onClick={changeLanguage}>
            {t.other}
          </button>
          <Link href="/settings" class="item" onClick={close}>
            {t.settings}
          </Link>
          <button
            type="button"
            class="item"
            onClick={() => {
              close();
              openOverlay('developer');
            }}
          >
            {t.developer}
          </button>
          <button type="button" class="item" onClick={leave}>
            {t.signOut}
          </button>
        </div>
      )}
    </Popover>
  );
}
