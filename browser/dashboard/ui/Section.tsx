import { Section as PlainSection, type SectionProps } from '../../shared/ui/Facts';
import { ShowQuery } from '../developer/ShowQuery';

interface SectionWithQueryProps extends SectionProps {
  /** Response paths of the figures, for "Show query". */
  fields?: readonly string[] | undefined;
}

export const Section = ({ fields, action, ...rest }: SectionWithQueryProps) => (
  <PlainSection
    {...rest}
    action={
      <>
        {fields && <ShowQuery name={rest.title} fields={fields} />}
        {action}
      </>
    }
  />
);
