import type { PresentPerson } from '@bursar/contract/dashboard';
import { Anchor, Text } from '@mantine/core';
import { type ReactElement, Suspense } from 'react';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { usePresence } from './calls/presence.ts';
import { Answered } from './page/answered.tsx';
import { lazyPage, usePreload } from './page/lazy-page.ts';
import { Loading, PageLoading } from './page/loading.tsx';
import { Page } from './page/page.tsx';
import { FaultBoundary } from './shell/fault-boundary.tsx';
import { Elsewhere, Narrow } from './shell/narrow.tsx';
import { shellTexts } from './shell/texts.ts';
import { SignedIn } from './signed-in.tsx';

const SignIn = lazyPage(async () => (await import('./features/sign-in/sign-in-page.tsx')).SignInPage);
const Invitation = lazyPage(async () => (await import('./features/new-password/link-pages.ts')).InvitationPage);
const Forgotten = lazyPage(async () => (await import('./features/new-password/link-pages.ts')).ForgottenPage);
const NewPassword = lazyPage(async () => (await import('./features/new-password/link-pages.ts')).NewPasswordPage);
const Overview = lazyPage(async () => (await import('./features/overview/overview-page.tsx')).OverviewPage);
const SubUsers = lazyPage(async () => (await import('./reseller-pages.ts')).SubUsersPage);
const SubUser = lazyPage(async () => (await import('./reseller-pages.ts')).SubUserPage);
const Connect = lazyPage(async () => (await import('./shared-pages.ts')).ConnectPage);
const Many = lazyPage(async () => (await import('./reseller-pages.ts')).ManyPage);
const Statement = lazyPage(async () => (await import('./reseller-pages.ts')).StatementPage);
const TopUps = lazyPage(async () => (await import('./reseller-pages.ts')).TopUpsPage);
const TopUp = lazyPage(async () => (await import('./reseller-pages.ts')).TopUpPage);
const Home = lazyPage(async () => (await import('./features/home/home-page.tsx')).HomePage);
const Months = lazyPage(async () => (await import('./shared-pages.ts')).MonthsPage);
const Printed = lazyPage(async () => (await import('./features/printed-statement/printed-page.tsx')).PrintedPage);
const Resellers = lazyPage(async () => (await import('./operator-pages.ts')).ResellersPage);
const Reseller = lazyPage(async () => (await import('./operator-pages.ts')).ResellerPage);
const ResellerSubUsers = lazyPage(async () => (await import('./operator-pages.ts')).ResellerSubUsersPage);
const ResellerSubUser = lazyPage(async () => (await import('./operator-pages.ts')).ResellerSubUserPage);
const People = lazyPage(async () => (await import('./operator-pages.ts')).PeoplePage);
const Income = lazyPage(async () => (await import('./operator-pages.ts')).IncomePage);
const Network = lazyPage(async () => (await import('./operator-pages.ts')).NetworkPage);
const Usage = lazyPage(async () => (await import('./operator-pages.ts')).UsagePage);
const Edges = lazyPage(async () => (await import('./operator-pages.ts')).EdgesPage);
const Payments = lazyPage(async () => (await import('./operator-pages.ts')).PaymentsPage);
const Payment = lazyPage(async () => (await import('./operator-pages.ts')).PaymentPage);
const Ledger = lazyPage(async () => (await import('./operator-pages.ts')).LedgerPage);
const Acts = lazyPage(async () => (await import('./shared-pages.ts')).ActsPage);
const Team = lazyPage(async () => (await import('./reseller-pages.ts')).TeamPage);
const Mail = lazyPage(async () => (await import('./operator-pages.ts')).MailPage);
const StopMail = lazyPage(async () => (await import('./features/mail/stop-mail-page.tsx')).StopMailPage);
const Webhooks = lazyPage(async () => (await import('./reseller-pages.ts')).WebhooksPage);
const Webhook = lazyPage(async () => (await import('./reseller-pages.ts')).WebhookPage);
const AllWebhooks = lazyPage(async () => (await import('./operator-pages.ts')).AllWebhooksPage);
const Token = lazyPage(async () => (await import('./reseller-pages.ts')).TokenPage);
const ApiTokens = lazyPage(async () => (await import('./operator-pages.ts')).ApiTokensPage);
const Brand = lazyPage(async () => (await import('./operator-pages.ts')).BrandPage);
const Account = lazyPage(async () => (await import('./shared-pages.ts')).AccountPage);

/** Loaded soon after the first page was shown, so that a change of pages waits for no code. */
const RESELLER_PAGES = [
	Overview,
	SubUsers,
	SubUser,
	Connect,
	Many,
	Statement,
	TopUps,
	TopUp,
	Team,
	Acts,
	Token,
	Webhooks,
	Webhook,
	Account,
];
const OPERATOR_PAGES = [
	Home,
	Resellers,
	Reseller,
	ResellerSubUsers,
	ResellerSubUser,
	People,
	Income,
	Network,
	Usage,
	Edges,
	Connect,
	Payments,
	Payment,
	Ledger,
	Mail,
	AllWebhooks,
	ApiTokens,
	Brand,
	Acts,
	Account,
];

/** Chooses the page by the address and by who is signed in. */
export function Routes() {
	const presence = usePresence();
	// The server for development has an address of its own.
	if (!import.meta.env.DEV && presence.data && presence.data.public_url !== window.location.origin) {
		return <Elsewhere publicUrl={presence.data.public_url} />;
	}
	return (
		<Suspense fallback={<Loading />}>
			<Switch>
				<Route path="/invitation">
					<Narrow>
						<Invitation />
					</Narrow>
				</Route>
				<Route path="/forgot-password">
					<Narrow>
						<Forgotten />
					</Narrow>
				</Route>
				<Route path="/new-password">
					<Narrow>
						<NewPassword />
					</Narrow>
				</Route>
				<Route path="/stop-mail">
					<Narrow>
						<StopMail />
					</Narrow>
				</Route>
				<Route path="/sign-in">
					<Narrow>
						<Answered query={presence}>{({ person }) => (person ? <Redirect to="/" /> : <SignIn />)}</Answered>
					</Narrow>
				</Route>
				<Route path="/statement/print">
					<Alone>{({ reseller }) => reseller !== null && <Printed reseller={reseller} />}</Alone>
				</Route>
				<Route path="/resellers/:reseller/print">
					{(path) => (
						<Alone>{({ reseller }) => reseller === null && <Printed reseller={path.reseller} forOperator />}</Alone>
					)}
				</Route>
				<Route>
					<SignedIn signIn={<SignIn />}>{({ reseller }) => <Pages reseller={reseller} />}</SignedIn>
				</Route>
			</Switch>
		</Suspense>
	);
}

interface AloneProps {
	/** `false` if the page is not for this person. */
	readonly children: (person: PresentPerson) => ReactElement | false;
}

/** A page without the frame. A sign-in at its address leads to it. */
function Alone({ children }: AloneProps) {
	const presence = usePresence();
	return (
		<FaultBoundary>
			<Answered query={presence}>
				{({ person }) => (person && children(person)) || <Narrow>{person ? <NotFound /> : <SignIn />}</Narrow>}
			</Answered>
		</FaultBoundary>
	);
}

function Pages({ reseller }: { readonly reseller: string | null }) {
	const [location] = useLocation();
	return (
		<FaultBoundary key={location}>
			<Suspense fallback={<PageLoading />}>
				{reseller === null ? <OperatorPages /> : <ResellerPages reseller={reseller} />}
			</Suspense>
		</FaultBoundary>
	);
}

function ResellerPages({ reseller }: { readonly reseller: string }) {
	usePreload(RESELLER_PAGES);
	return (
		<Switch>
			<Route path="/">
				<Overview reseller={reseller} />
			</Route>
			<Route path="/sub-users" component={SubUsers} />
			<Route path="/sub-users/:username">{({ username }) => <SubUser username={username} />}</Route>
			<Route path="/connect">
				<Connect reseller={reseller} />
			</Route>
			<Route path="/many-sub-users" component={Many} />
			<Route path="/statement" component={Statement} />
			<Route path="/statement/months">
				<Months />
			</Route>
			<Route path="/top-ups" component={TopUps} />
			<Route path="/top-ups/:id">{({ id }) => <TopUp id={id} />}</Route>
			<Route path="/team">
				<Team reseller={reseller} />
			</Route>
			<Route path="/activity">
				<Acts reseller={reseller} />
			</Route>
			<Route path="/token" component={Token} />
			<Route path="/webhooks" component={Webhooks} />
			<Route path="/webhooks/:id">{({ id }) => <Webhook id={id} />}</Route>
			<Route path="/account" component={Account} />
			<Route component={NotFound} />
		</Switch>
	);
}

function OperatorPages() {
	usePreload(OPERATOR_PAGES);
	return (
		<Switch>
			<Route path="/" component={Home} />
			<Route path="/resellers" component={Resellers} />
			<Route path="/resellers/:reseller">{({ reseller }) => <Reseller reseller={reseller} />}</Route>
			<Route path="/resellers/:reseller/sub-users">{({ reseller }) => <ResellerSubUsers reseller={reseller} />}</Route>
			<Route path="/resellers/:reseller/sub-users/:username">
				{({ reseller, username }) => <ResellerSubUser reseller={reseller} username={username} />}
			</Route>
			<Route path="/resellers/:reseller/months">{({ reseller }) => <Months reseller={reseller} />}</Route>
			<Route path="/people" component={People} />
			<Route path="/income" component={Income} />
			<Route path="/bandwidth" component={Network} />
			<Route path="/usage" component={Usage} />
			<Route path="/edges" component={Edges} />
			<Route path="/connect">
				<Connect reseller={null} />
			</Route>
			<Route path="/payments" component={Payments} />
			<Route path="/payments/:id">{({ id }) => <Payment id={id} />}</Route>
			<Route path="/ledger" component={Ledger} />
			<Route path="/mail" component={Mail} />
			<Route path="/webhooks" component={AllWebhooks} />
			<Route path="/api-tokens" component={ApiTokens} />
			<Route path="/brand" component={Brand} />
			<Route path="/activity">
				<Acts reseller={null} />
			</Route>
			{/* Bookmarks of earlier versions. */}
			<Route path="/acts">
				<Redirect to={`/activity${window.location.search}`} replace />
			</Route>
			<Route path="/account" component={Account} />
			<Route component={NotFound} />
		</Switch>
	);
}

function NotFound() {
	return (
		<Page title={shellTexts.notFoundTitle} lead={shellTexts.notFound}>
			<Text>
				<Anchor component={Link} href="/">
					{shellTexts.toStart}
				</Anchor>
			</Text>
		</Page>
	);
}
