import { InputType, ObjectType } from 'type-graphql';
import { Day } from '../../schema/shapes';

@ObjectType({ description: 'A pause: nothing is charged from its first day on' })
export class SubscriptionPause {
  @Day('Day on which the pause takes effect, after the paid period or the trial', { example: '2027-02-28' })
  since!: string;
  @Day('Day on which the subscription is charged again; null until it is resumed', {
    nullable: true,
    example: '2027-05-01',
  })
  resume_date!: string | null;
}

@InputType({ description: 'A pause of a subscription' })
export class PauseSubscription {
  @Day('Day on which a new period begins and is charged; by default the pause lasts until it is resumed', {
    optional: true,
    example: '2027-05-01',
  })
  resume_date?: string | null;
}
