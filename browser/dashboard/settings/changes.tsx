import { ask } from '../../shared/api/ask';
import { graphql } from '../../shared/api/graphql';
import { ActionButton } from '../ui/ActionButton';
import type { Profile } from './operations';
import { t } from './texts';

const UPDATE = graphql(
  `mutation UpdateMerchant($merchant: UpdateMerchant!) { updateMerchant(merchant: $merchant) { id } }`,
);

/** The chosen image in base64; undefined if none was chosen. */
function readLogo(): Promise<string | undefined> {
  const [file] = document.querySelector<HTMLInputElement>('dialog[open] input[type=file]')?.files ?? [];
  if (!file) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

interface ChangeProps {
  of: Profile;
  done: () => void;
}

export const ChangeProfile = ({ of, done }: ChangeProps) => (
  <ActionButton
    label={t.edit}
    title={t.profile}
    kind="primary"
    fields={[
      { name: 'name', label: t.name, value: of.name },
      { name: 'logo', label: t.logo, type: 'file', hint: t.logoHint, isOptional: true },
      ...(of.logo ? [{ name: 'no_logo', label: t.noLogo, type: 'checkbox' } as const] : []),
      { name: 'has_colour', label: t.ownColour, type: 'checkbox', value: of.colour !== null },
      { name: 'colour', label: t.colour, type: 'color', value: of.colour ?? '#0b6e4f' },
      { name: 'website', label: t.website, type: 'url', value: of.website ?? '', isOptional: true },
      { name: 'support_email', label: t.supportEmail, type: 'email', value: of.support_email ?? '', isOptional: true },
      { name: 'support_phone', label: t.supportPhone, type: 'tel', value: of.support_phone ?? '', isOptional: true },
      {
        name: 'max_installments',
        label: t.maxInstallments,
        type: 'number',
        value: of.max_installments,
        hint: t.installmentsHint,
      },
      { name: 'phone', label: t.phone, type: 'tel', value: of.phone ?? '', isOptional: true },
    ]}
    run={async (values, key) => {
      const { no_logo, has_colour, colour = '', logo: _, phone, max_installments, ...texts } = values;
      const logo = no_logo ? '' : await readLogo();
      const merchant = {
        ...texts,
        ...(phone && { phone }),
        colour: has_colour ? colour : '',
        max_installments: Number(max_installments),
        ...(logo !== undefined && { logo }),
      };
      await ask(UPDATE, { merchant }, { key });
      return t.changed;
    }}
    done={done}
  />
);

const chosen = <T extends string>(value: string | undefined): T[] => (value ? (value.split(',') as T[]) : []);

export const ChangePayerSettings = ({ of, done }: ChangeProps) => (
  <ActionButton
    label={t.editPayers}
    title={t.payers}
    fields={[
      {
        name: 'payer_emails',
        label: t.emails,
        type: 'choices',
        value: of.payer_emails.join(','),
        options: Object.entries(t.emailKinds),
        isOptional: true,
      },
      {
        name: 'payer_actions',
        label: t.actions,
        type: 'choices',
        value: of.payer_actions.join(','),
        options: Object.entries(t.actionKinds),
        isOptional: true,
      },
    ]}
    run={async ({ payer_emails, payer_actions }, key) => {
      const merchant = {
        payer_emails: chosen<Profile['payer_emails'][number]>(payer_emails),
        payer_actions: chosen<Profile['payer_actions'][number]>(payer_actions),
      };
      await ask(UPDATE, { merchant }, { key });
      return t.changed;
    }}
    done={done}
  />
);

export const ChangeAccount = ({ of: { bank_account }, done }: ChangeProps) => (
  <ActionButton
    label={t.setAccount}
    fields={[
      { name: 'bank', label: t.bank, value: bank_account?.bank ?? '' },
      {
        name: 'type',
        label: t.type,
        type: 'select',
        value: bank_account?.type ?? 'savings',
        options: Object.entries(t.types),
      },
      { name: 'number', label: t.number, value: bank_account?.number ?? '', hint: t.numberHint },
    ]}
    run={async ({ bank = '', type, number = '' }, key) => {
      const merchant = { bank_account: { bank, type: type === 'checking' ? 'checking' : 'savings', number } as const };
      await ask(UPDATE, { merchant }, { key });
      return t.changed;
    }}
    done={done}
  />
);
