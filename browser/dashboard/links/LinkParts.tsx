/** Parts of the page of a link: its QR code, and its payers. */
import { Facts } from '../../shared/ui/Facts';
import { TableSection } from '../lists/TableSection';
import { Section } from '../ui/Section';
import { columnsOfUses } from './columns';
import type { LinkRow } from './operations';
import { t } from './texts';

const QR_PX = 164;

/** The pages of links have the origin of the dashboard, unless a proxy serves them by another name. */
const pathOf = (url: string): string => new URL(url).pathname;

export function QrCode({ link: { qr_code_url } }: { link: LinkRow }) {
  const svg = pathOf(qr_code_url);
  const png = svg.replace(/svg$/, 'png');
  return (
    <div class="qr-code">
      <img src={svg} alt={t.qrCode} width={QR_PX} height={QR_PX} />
      <p>
        {t.qrCodeHint}
        <br />
        <a href={png} download="qr.png">
          {t.download} PNG
        </a>{' '}
        ·{' '}
        <a href={svg} download="qr.svg">
          {t.download} SVG
        </a>
      </p>
    </div>
  );
}

export function Payers({ link, uses }: { link: LinkRow; uses: readonly LinkRow[] }) {
  const { funnel, max_payments } = link;
  return (
    <>
      <Section title={t.payers} fields={['paymentLink.funnel']}>
        <Facts
          of={[
            [t.funnel.started, `${funnel.started}`],
            [t.funnel.paid, max_payments ? t.ofMax(funnel.paid, max_payments) : `${funnel.paid}`],
          ]}
        />
      </Section>
      <TableSection
        label={t.uses}
        columns={columnsOfUses}
        rows={uses}
        keyOf={({ id }) => id}
        href={({ id }) => `/links/${id}`}
        empty={t.noUses}
        fields={['uses']}
      />
    </>
  );
}
