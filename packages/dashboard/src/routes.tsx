import { Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { usePresence } from './api/presence.ts';
import { Answered } from './frame/answered.tsx';
import { Elsewhere } from './frame/elsewhere.tsx';
import { FaultBoundary } from './frame/fault-boundary.tsx';
import { lazyPage } from './frame/lazy-page.ts';
import { Loading } from './frame/loading.tsx';
import { Narrow } from './frame/narrow.tsx';
import { NotFound } from './pages/not-found.tsx';
import { SignedIn } from './signed-in.tsx';

const SignIn = lazyPage(async () => (await import('./pages/sign-in.tsx')).SignIn);
const Invitation = lazyPage(async () => (await import('./pages/invitation.tsx')).Invitation);
const Token = lazyPage(async () => (await import('./pages/token.tsx')).Token);
const Account = lazyPage(async () => (await import('./pages/account.tsx')).Account);

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
					<SignedIn signIn={<SignIn />}>{(person) => <Pages hasReseller={person.reseller !== null} />}</SignedIn>
				</Route>
			</Switch>
		</Suspense>
	);
}

function Pages({ hasReseller }: { readonly hasReseller: boolean }) {
	const [location] = useLocation();
	return (
		<FaultBoundary key={location}>
			<Suspense fallback={<Loading />}>
				<Switch>
					<Route path="/">
						<Redirect to={hasReseller ? '/token' : '/account'} replace />
					</Route>
					<Route path="/token">{hasReseller ? <Token /> : <NotFound />}</Route>
					<Route path="/account">
						<Account />
					</Route>
					<Route>
						<NotFound />
					</Route>
				</Switch>
			</Suspense>
		</FaultBoundary>
	);
}
