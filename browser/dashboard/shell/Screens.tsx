import { Route, Switch } from 'wouter-preact';
import { Audit } from '../audit/Audit';
import { ChargePage } from '../charges/ChargePage';
import { ChargesList } from '../charges/ChargesList';
import { CouponPage } from '../coupons/CouponPage';
import { CouponsList } from '../coupons/CouponsList';
import { CustomerPage } from '../customers/CustomerPage';
import { CustomersList } from '../customers/CustomersList';
import { EventPage } from '../events/EventPage';
import { Events } from '../events/Events';
import { FeePage } from '../fees/FeePage';
import { FeesList } from '../fees/FeesList';
import { NewRule, RulePage } from '../fraud/RulePage';
import { Rules } from '../fraud/Rules';
import { KeyPage } from '../keys/KeyPage';
import { Keys } from '../keys/Keys';
import { Sessions } from '../keys/Sessions';
import { LinkPage } from '../links/LinkPage';
import { LinksList } from '../links/LinksList';
import { GoLive } from '../live/GoLive';
import { PayoutPage } from '../payouts/PayoutPage';
import { Payouts } from '../payouts/Payouts';
import { PlanPage } from '../plans/PlanPage';
import { PlansList } from '../plans/PlansList';
import { Settings } from '../settings/Settings';
import { SettlementPage } from '../settlements/SettlementPage';
import { Settlements } from '../settlements/Settlements';
import { Statement } from '../statement/Statement';
import { SubscriptionPage } from '../subscriptions/SubscriptionPage';
import { SubscriptionsList } from '../subscriptions/SubscriptionsList';
import { Deliveries } from '../webhooks/Deliveries';
import { EventDeliveries } from '../webhooks/EventDeliveries';
import { WebhookPage } from '../webhooks/WebhookPage';
import { Webhooks } from '../webhooks/Webhooks';
import { NotFound } from './NotFound';

/** All except Today, which is the first view. */
export const Screens = () => (
  <Switch>
    <Route path="/subscriptions" component={SubscriptionsList} />
    <Route path="/customers" component={CustomersList} />
    <Route path="/customers/:id">{({ id }) => <CustomerPage key={id} id={id} />}</Route>
    <Route path="/fees" component={FeesList} />
    <Route path="/fees/:id">{({ id }) => <FeePage key={id} id={id} />}</Route>
    <Route path="/plans" component={PlansList} />
    <Route path="/plans/:id">{({ id }) => <PlanPage key={id} id={id} />}</Route>
    <Route path="/coupons" component={CouponsList} />
    <Route path="/coupons/:id">{({ id }) => <CouponPage key={id} id={id} />}</Route>
    <Route path="/charges" component={ChargesList} />
    <Route path="/charges/:id">{({ id }) => <ChargePage key={id} id={id} />}</Route>
    <Route path="/links" component={LinksList} />
    <Route path="/links/:id">{({ id }) => <LinkPage key={id} id={id} />}</Route>
    <Route path="/webhooks" component={Webhooks} />
    <Route path="/webhooks/:id" component={WebhookPage} />
    <Route path="/webhooks/:id/deliveries" component={Deliveries} />
    <Route path="/webhooks/:id/events/:event" component={EventDeliveries} />
    <Route path="/events" component={Events} />
    <Route path="/events/:id" component={EventPage} />
    <Route path="/subscriptions/:id" component={SubscriptionPage} />
    <Route path="/settlements" component={Settlements} />
    <Route path="/settlements/:id" component={SettlementPage} />
    <Route path="/statement" component={Statement} />
    <Route path="/payouts" component={Payouts} />
    <Route path="/payouts/:id" component={PayoutPage} />
    <Route path="/keys" component={Keys} />
    <Route path="/keys/sessions" component={Sessions} />
    <Route path="/keys/:id" component={KeyPage} />
    <Route path="/fraud" component={Rules} />
    <Route path="/fraud/new" component={NewRule} />
    <Route path="/fraud/:id" component={RulePage} />
    <Route path="/audit" component={Audit} />
    <Route path="/settings" component={Settings} />
    <Route path="/live" component={GoLive} />
    <Route component={NotFound} />
  </Switch>
);
