import type { MerchantModel } from '../../../prisma/generated/models';
import { takeQuota } from '../../platform/database/quota';
import { ApiError } from '../../platform/errors';
import { isBlank, isEmail } from '../../schema/check';
import type { Context } from '../../schema/operation/context';
import { auditEntry, changedMembers } from '../auditLog/entry';
import { changeBankAccount } from '../bankAccounts/rows';
import type { UpdateMerchant } from './fields';
import { type NewLogo, readLogo } from './logo';
import { lockMerchant } from './rows';

export type Profile = Pick<
  MerchantModel,
  | 'name'
  | 'phone'
  | 'website'
  | 'support_email'
  | 'support_phone'
  | 'logo'
  | 'colour'
  | 'subscription_emails'
  | 'max_installments'
  | 'payer_actions'
  | 'payer_emails'
>;

/** Each is kept for a while, since mails that were sent show it. */
const LOGOS = { name: 'logos', problem: 'hourly_logos', max: 20 } as const;

/** The public URL for browsers and e-mail clients. */
export const logoUrl = (origin: string, logo: string): string => `${origin}/logos/${logo}`;

/** The audit entry names a logo by its hash. */
export async function updateProfile(context: Context, input: UpdateMerchant): Promise<void> {
  const { db, merchant_id } = context;
  const { logo, changes } = readProfile(context, input);
  await db.$transaction(async tx => {
    await lockMerchant(tx, merchant_id);
    const before = profileOf(await tx.merchant.findUniqueOrThrow({ where: { id: merchant_id } }));
    if (input.bank_account) await changeBankAccount(tx, context, input.bank_account);
    const { before: was, after: is = {} } = changedMembers(before, { ...before, ...changes });
    if (Object.keys(is).length === 0) return;
    if (logo) {
      // The new date keeps a reused logo from being swept.
      const { name, content } = logo;
      await takeQuota(tx, { merchant_id, ...LOGOS });
      await tx.logo.upsert({ where: { name }, create: { name, content }, update: { creation_date: new Date() } });
    }
    await tx.merchant.update({ where: { id: merchant_id }, data: changes });
    const entry = auditEntry(context, 'merchant.changed', { object_id: merchant_id, before: was, after: is });
    await tx.auditEntry.create({ data: entry });
  });
}

const profileOf = (row: Profile): Profile => {
  const { name, phone, website, support_email, support_phone, logo, colour } = row;
  const { subscription_emails, max_installments, payer_actions, payer_emails } = row;
  const branding = { name, phone, website, support_email, support_phone, logo, colour };
  return { ...branding, subscription_emails, max_installments, payer_actions, payer_emails };
};

interface ProfileChanges {
  changes: Partial<Profile>;
  logo: NewLogo | undefined;
}

/** Omitted fields are unchanged; an empty string clears an optional one. */
function readProfile(context: Context, input: UpdateMerchant): ProfileChanges {
  const { name, phone, website, support_email, support_phone, colour } = input;
  const { subscription_emails, max_installments, payer_actions, payer_emails } = input;
  const logo = isNewLogo(context, input.logo) ? readLogo(input.logo) : undefined;
  const changes = {
    name: required('name', name),
    phone: required('phone', phone),
    website: cleared(website, readWebsite),
    support_email: cleared(support_email, readEmail),
    support_phone: cleared(support_phone, text => text),
    colour: cleared(colour, readColour),
    subscription_emails,
    max_installments,
    payer_actions: payer_actions && [...new Set(payer_actions)].sort(),
    payer_emails: payer_emails && [...new Set(payer_emails)].sort(),
    logo: logo?.name ?? (input.logo?.trim() === '' ? null : undefined),
  };
  return { changes: Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)), logo };
}

/** Clients may send back the URL of the current or an earlier logo. */
const isNewLogo = ({ publicUrl }: Context, logo: string | undefined): logo is string =>
  logo !== undefined && logo.trim() !== '' && !logo.startsWith(logoUrl(publicUrl, ''));

function required(field: string, text: string | undefined): string | undefined {
  if (text !== undefined && isBlank(text)) throw new ApiError('malformed', 'is_empty', { field });
  return text?.trim();
}

const cleared = (text: string | undefined, read: (text: string) => string): string | null | undefined =>
  text === undefined ? undefined : isBlank(text) ? null : read(text.trim());

function readWebsite(text: string): string {
  const { protocol = '', username = '', password = '' } = URL.canParse(text) ? new URL(text) : {};
  if (!/^https?:$/.test(protocol) || username || password || /\s/.test(text))
    throw new ApiError('invalid_value', 'not_web_address', { field: 'website' });
  return text;
}

function readEmail(text: string): string {
  if (!isEmail(text)) throw new ApiError('malformed', 'not_email', { field: 'support_email' });
  return text;
}

function readColour(text: string): string {
  if (!/^#[0-9a-f]{6}$/i.test(text)) throw new ApiError('invalid_value', 'not_colour', { field: 'colour' });
  return text.toLowerCase();
}
