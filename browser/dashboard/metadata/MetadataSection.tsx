import { Facts } from '../../shared/ui/Facts';
import { Section } from '../ui/Section';
import type { Metadata } from './text';
import { t } from './texts';

export const MetadataSection = ({ of }: { of: Metadata | null }) =>
  of && Object.keys(of).length > 0 ? (
    <Section title={t.title}>
      <Facts of={Object.entries(of)} />
    </Section>
  ) : null;
