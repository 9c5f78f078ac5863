import { Chip } from '../../shared/ui/Chip';
import { Facts, Id } from '../../shared/ui/Facts';
import { Moment, Money } from '../../shared/ui/Figures';
import { PageHead } from '../../shared/ui/PageHead';
import { Shown } from '../../shared/ui/States';
import { useQuery } from '../api/useQuery';
import { Section } from '../ui/Section';
import { ChangeAccount, ChangePayerSettings, ChangeProfile } from './changes';
import { PROFILE } from './operations';
import { t } from './texts';

const named = <T extends string>(values: readonly T[], names: Record<T, string>): string =>
  values.map(value => names[value]).join(', ');

export function Settings() {
  const page = useQuery(PROFILE, {}, { refreshOn: () => true });
  return (
    <>
      <PageHead title={t.title} />
      <Shown of={page} lines={8}>
        {({ merchant }) =>
          merchant && (
            <>
              <Section title={t.profile} action={<ChangeProfile of={merchant} done={page.reload} />}>
                <Facts
                  of={[
                    [t.name, merchant.name],
                    [t.logo, merchant.logo && <img class="logo" src={merchant.logo} alt={t.logo} />],
                    [t.colour, merchant.colour && <Colour of={merchant.colour} />],
                    [t.website, merchant.website],
                    [t.supportEmail, merchant.support_email],
                    [t.supportPhone, merchant.support_phone],
                    [
                      t.installments,
                      merchant.max_installments > 1 ? t.upTo(merchant.max_installments) : t.noInstallments,
                    ],
                  ]}
                />
              </Section>
              <Section title={t.payers} action={<ChangePayerSettings of={merchant} done={page.reload} />}>
                <Facts
                  of={[
                    [t.emails, named(merchant.payer_emails, t.emailKinds) || t.none],
                    [t.actions, named(merchant.payer_actions, t.actionKinds) || t.none],
                  ]}
                />
              </Section>
              <Section title={t.account} action={<ChangeAccount of={merchant} done={page.reload} />}>
                <p class="hint">{merchant.bank_account ? t.accountHint : t.noAccount}</p>
                <Facts
                  of={[
                    [t.bank, merchant.bank_account?.bank],
                    [t.type, merchant.bank_account && t.types[merchant.bank_account.type]],
                    [t.number, merchant.bank_account?.number],
                    [
                      t.pendingAccount,
                      merchant.pending_bank_account && (
                        <>
                          {merchant.pending_bank_account.bank} {merchant.pending_bank_account.number}, {t.usedFrom}{' '}
                          <Moment at={merchant.pending_bank_account.effective_date} />
                        </>
                      ),
                    ],
                  ]}
                />
              </Section>
              <Section
                title={t.merchant}
                fields={['merchant.balance', 'merchant.available', 'merchant.customers_balance']}
              >
                <Facts
                  of={[
                    [t.status, merchant.status === 'suspended' && <Chip status={merchant.status} />],
                    [t.why, merchant.suspension_reason],
                    [t.email, merchant.email],
                    [t.phone, merchant.phone],
                    [t.balance, <Money key="balance" amount={merchant.balance} />],
                    [t.available, <Money key="available" amount={merchant.available} />],
                    [t.reserve, merchant.reserve > 0 && <Money key="reserve" amount={merchant.reserve} />],
                    [t.customersBalance, <Money key="customers" amount={merchant.customers_balance} />],
                    ['id', <Id key="id" id={merchant.id} />],
                  ]}
                />
              </Section>
            </>
          )
        }
      </Shown>
    </>
  );
}

/** The colour is set by script, since the content security policy forbids inline styles. */
const Colour = ({ of }: { of: string }) => (
  <span class="swatch">
    <span
      ref={element => {
        if (element) element.style.background = of;
      }}
    />
    {of}
  </span>
);
