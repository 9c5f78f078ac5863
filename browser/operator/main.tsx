/** The pages of operators: status, merchants, requests for production access, and the timeline of any object. */
import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Route, Router, Switch, useLocation } from 'wouter-preact';
import '../shared/theme';
import { Notices } from '../shared/ui/notices';
import { PageHead } from '../shared/ui/PageHead';
import { BulkActions } from './bulk/BulkActions';
import { BulkPage } from './bulk/BulkPage';
import { MerchantPage } from './merchants/MerchantPage';
import { Merchants } from './merchants/Merchants';
import { Overdue } from './overdue/Overdue';
import { RequestPage } from './requests/RequestPage';
import { Requests } from './requests/Requests';
import { SignIn } from './shell/SignIn';
import { TopBar } from './shell/TopBar';
import { isSignedIn, watch } from './state';
import { Status } from './status/Status';
import { StoryPage } from './story/StoryPage';
import { t } from './texts';

const Pages = () => (
  <Switch>
    <Route path="/" component={Status} />
    <Route path="/merchants" component={Merchants} />
    <Route path="/merchants/:id">{({ id }) => <MerchantPage key={id} id={id} />}</Route>
    <Route path="/requests" component={Requests} />
    <Route path="/requests/:id">{({ id }) => <RequestPage key={id} id={id} />}</Route>
    <Route path="/overdue" component={Overdue} />
    <Route path="/bulk" component={BulkActions} />
    <Route path="/bulk/:id">{({ id }) => <BulkPage key={id} id={id} />}</Route>
    <Route path="/story/:id">{({ id }) => <StoryPage key={id} id={id} />}</Route>
    <Route>
      <PageHead title={t.noPage} />
    </Route>
  </Switch>
);

function Content() {
  const [path] = useLocation();
  const shown = useRef(path);
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    scrollTo(0, 0);
    main.current?.focus();
  }, [path]);
  return (
    <main ref={main} id="content" class="operator" tabIndex={-1}>
      <Pages />
    </main>
  );
}

const App = () =>
  isSignedIn.value ? (
    <Router base="/operator">
      <a class="skip" href="#content">
        {t.skip}
      </a>
      <TopBar />
      <Content />
      <Notices />
    </Router>
  ) : (
    <SignIn />
  );

document.body.replaceChildren();
await watch();
render(<App />, document.body);
