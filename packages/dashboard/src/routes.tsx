import { Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { usePresence } from './api/presence.ts';
import { Answered } from './frame/answered.tsx';
import { Elsewhere } from './frame/elsewhere.tsx';
import { FaultBoundary } from './frame/fault-boundary.tsx';
import { lazyPage } from './frame/lazy-page.ts';
import { Loading } from './frame/loading.tsx';
import { Narrow } from './frame/narrow.tsx';
import { usePreload } from './frame/use-preload.ts';
import { NotFound } from './pages/not-found.tsx';
import { SignedIn } from './signed-in.tsx';

const SignIn = lazyPage(async () => (await import('./pages/sign-in.tsx')).SignIn);
const Invitation = lazyPage(async () => (await import('./pages/invitation.tsx')).Invitation);
const Overview = lazyPage(async () => (await import('./pages/overview.tsx')).Overview);
const SubUsers = lazyPage(async () => (await import('./pages/sub-users.tsx')).SubUsers);
const SubUser = lazyPage(async () => (await import('./pages/sub-user.tsx')).SubUser);
const Statement = lazyPage(async () => (await import('./pages/statement.tsx')).Statement);
const Resellers = lazyPage(async () => (await import('./pages/resellers.tsx')).Resellers);
const Reseller = lazyPage(async () => (await import('./pages/reseller.tsx')).Reseller);
const Usage = lazyPage(async () => (await import('./pages/usage.tsx')).Usage);
const Edges = lazyPage(async () => (await import('./pages/edges.tsx')).Edges);
const Ledger = lazyPage(async () => (await import('./pages/ledger.tsx')).Ledger);
const Acts = lazyPage(async () => (await import('./pages/acts.tsx')).Acts);
const Token = lazyPage(async () => (await import('./pages/token.tsx')).Token);
const Account = lazyPage(async () => (await import('./pages/account.tsx')).Account);

/** Loaded soon after the first page was shown, so that a change of pages waits for no code. */
const RESELLER_PAGES = [Overview, SubUsers, SubUser, Statement, Token, Account];
const OPERATOR_PAGES = [Resellers, Reseller, Usage, Edges, Ledger, Acts, Account];

/** Chooses the page by the address and by who is signed in. */
export function Routes() {
	const presence = usePresence();
	if (presence.data && presence.data.public_url !== window.location.origin) {
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
				<Route path="/sign-in">
					<Narrow>
						<Answered query={presence}>{({ person }) => (person ? <Redirect to="/" /> : <SignIn />)}</Answered>
					</Narrow>
				</Route>
				<Route>
					<SignedIn signIn={<SignIn />}>{({ reseller }) => <Pages reseller={reseller} />}</SignedIn>
				</Route>
			</Switch>
		</Suspense>
	);
}

function Pages({ reseller }: { readonly reseller: string | null }) {
	const [location] = useLocation();
	return (
		<FaultBoundary key={location}>
			<Suspense fallback={<Loading />}>
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
			<Route path="/statement" component={Statement} />
			<Route path="/token" component={Token} />
			<Route path="/account" component={Account} />
			<Route component={NotFound} />
		</Switch>
	);
}

function OperatorPages() {
	usePreload(OPERATOR_PAGES);
	return (
		<Switch>
			<Route path="/">
				<Redirect to="/resellers" replace />
			</Route>
			<Route path="/resellers" component={Resellers} />
			<Route path="/resellers/:reseller">{({ reseller }) => <Reseller reseller={reseller} />}</Route>
			<Route path="/usage" component={Usage} />
			<Route path="/edges" component={Edges} />
			<Route path="/ledger" component={Ledger} />
			<Route path="/acts" component={Acts} />
			<Route path="/account" component={Account} />
			<Route component={NotFound} />
		</Switch>
	);
}
