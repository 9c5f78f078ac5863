import circleUserRound from 'lucide-static/icons/circle-user-round.svg';
import { Link } from 'wouter-preact';
import { changeLanguage, otherLanguage } from '../../shared/language';
import { signInTexts } from '../../shared/signInTexts';
import { chooseTheme, THEMES, theme } from '../../shared/theme';
import { Id } from '../../shared/ui/Facts';
import { Icon } from '../../shared/ui/Icon';
import { notify } from '../../shared/ui/notices';
import { Popover } from '../../shared/ui/Popover';
import { themeNames } from '../../shared/ui/ThemeButton';
import { useMerchant } from '../api/merchant';
import { openOverlay } from './overlays';
import { canWrite, session, signOut } from './session';
import { t } from './texts';

export const leave = (): Promise<void> => signOut().catch(() => notify(t.stillSignedIn, 'bad'));

export function AccountMenu() {
  const merchant = useMerchant();
  const name = merchant?.name ?? t.account;
  const label = (
    <>
      <Icon svg={circleUserRound} />
      <span class="who">{name}</span>
      {!canWrite() && <small> · {signInTexts.readOnly}</small>}
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
                {themeNames[choice]}
              </label>
            ))}
          </fieldset>
          <button type="button" class="item" lang={otherLanguage.code} onClick={changeLanguage}>
            {otherLanguage.name}
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
            {signInTexts.signOut}
          </button>
        </div>
      )}
    </Popover>
  );
}
