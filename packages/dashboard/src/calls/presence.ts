import type { Presence } from '@bursar/contract/dashboard';
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { allProofsAnswered, CallError, read } from './call.ts';
import { serverNowMs } from './server-clock.ts';

const KEY = ['presence'];

const presenceQuery = queryOptions({
	queryKey: KEY,
	queryFn: async ({ client }) => {
		const presence = await read('/session', {});
		forgetOthers(client, presence);
		return presence;
	},
	staleTime: 30_000,
});

/** Who is signed in. */
export function usePresence() {
	return useQuery(presenceQuery);
}

/** The same, as far as the page knows. Sends no call. */
export function usePresenceAsKnown() {
	return useQuery({ ...presenceQuery, enabled: false });
}

/** Whether a person is signed in, as far as the page knows. Sends no call. */
export function useIsSignedIn(): boolean {
	return usePresenceAsKnown().data?.person != null;
}

/** Whether resellers can pay through a payment provider, as far as the page knows. Sends no call. */
export function useTakesPayments(): boolean {
	return usePresenceAsKnown().data?.takes_payments ?? false;
}

/** Asks the service who is signed in now. If the session has ended, the frame offers to sign in again. */
export function readPresence(client: QueryClient): Promise<Presence> {
	return client.fetchQuery({ ...presenceQuery, staleTime: 0 });
}

/** Takes over who is signed in. */
export function setPresence(client: QueryClient, presence: Presence): void {
	// A read that is under way may have left with the previous cookie.
	void client.cancelQueries({ queryKey: KEY });
	forgetOthers(client, presence);
	client.setQueryData<Presence>(KEY, presence);
	// Reads that failed while the person was signed out.
	if (presence.person)
		void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
}

/** The e-mail address of the person who was signed in last. The session may have ended since. */
const lastEmails = new WeakMap<QueryClient, string>();

/** Forgets what was read for another person. That person may have signed out in between. */
function forgetOthers(client: QueryClient, { person }: Presence): void {
	if (!person) return;
	if ((lastEmails.get(client) ?? person.email) !== person.email) {
		client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY[0] });
	}
	lastEmails.set(client, person.email);
}

/**
 * Sends a call for which a person must be signed in. A proof gives the session a new cookie, here or in another tab, and
 * a call that left with the previous one is refused. So a refusal counts only if the service then says that this person
 * is not signed in any more. Otherwise the call is sent once more. `send` gets the e-mail address of the person.
 */
export async function sendSignedIn<Answer>(
	client: QueryClient,
	send: (email: string | undefined) => Promise<Answer>,
): Promise<Answer> {
	const email = lastEmails.get(client);
	try {
		return await send(email);
	} catch (error) {
		const isRefused = error instanceof CallError && error.code === 'signed_out';
		if (!isRefused || !(await isStillSignedIn(client, email))) throw error;
		return send(email);
	}
}

async function isStillSignedIn(client: QueryClient, email: string | undefined): Promise<boolean> {
	await allProofsAnswered();
	try {
		const { person } = await readPresence(client);
		return person !== null && person.email === (email ?? person.email);
	} catch {
		setSignedOut(client);
		return false;
	}
}

/** Keeps what was read, because the same person may sign in again. */
function setSignedOut(client: QueryClient): void {
	client.setQueryData<Presence>(KEY, (presence) => presence && { ...presence, person: null });
}

/** Reads again who is signed in. Resolves when it is known, or when it could not be read. */
export function refreshPresence(client: QueryClient): Promise<void> {
	return client.invalidateQueries({ queryKey: KEY });
}

/**
 * Whether the person has a fresh proof. Another page of the same session may have given it, so it asks the service.
 * Throws `CallError` if the session has ended: then no proof helps.
 */
export async function isProven(client: QueryClient): Promise<boolean> {
	if (hasFreshProof(client.getQueryData<Presence>(KEY))) return true;
	let presence: Presence;
	try {
		presence = await readPresence(client);
	} catch {
		// The change itself will tell.
		return true;
	}
	if (!presence.person) throw new CallError('signed_out', 401);
	return hasFreshProof(presence);
}

function hasFreshProof(presence: Presence | undefined): boolean {
	const provenUntil = presence?.person?.proven_until;
	return typeof provenUntil === 'string' && serverNowMs() < Date.parse(provenUntil);
}
