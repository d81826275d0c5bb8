import type { Presence } from '@bursar/contract/dashboard';
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { allProofsAnswered, CallError, read } from './call.ts';
import { serverNowMs } from './server-clock.ts';

const KEY = ['presence'];

const presenceQuery = queryOptions({ queryKey: KEY, queryFn: () => read('/session'), staleTime: 30_000 });

/** Who is signed in. */
export function usePresence() {
	return useQuery(presenceQuery);
}

/** Asks the service who is signed in now. If nobody is, the frame offers to sign in again. */
export function readPresence(client: QueryClient): Promise<Presence> {
	return client.fetchQuery({ ...presenceQuery, staleTime: 0 });
}

/** Takes over who is signed in. What was read for another person is forgotten. */
export function setPresence(client: QueryClient, presence: Presence): void {
	const previous = client.getQueryData<Presence>(KEY)?.person;
	// A read that is under way may have left with the previous cookie.
	void client.cancelQueries({ queryKey: KEY });
	if (previous && presence.person?.email !== previous.email) forgetAnswers(client);
	client.setQueryData<Presence>(KEY, presence);
}

/**
 * Sends a call for which somebody must be signed in. A proof gives the session a new cookie, here or in another tab, and
 * a call that left with the previous one is refused. So a refusal counts only if the service then says that nobody is
 * signed in. Otherwise the call is sent once more.
 */
export async function sendSignedIn<Answer>(client: QueryClient, send: () => Promise<Answer>): Promise<Answer> {
	try {
		return await send();
	} catch (error) {
		const isRefused = error instanceof CallError && error.code === 'signed_out';
		if (!isRefused || !(await isStillSignedIn(client))) throw error;
		return send();
	}
}

async function isStillSignedIn(client: QueryClient): Promise<boolean> {
	await allProofsAnswered();
	try {
		return (await readPresence(client)).person !== null;
	} catch {
		noteSignedOut(client);
		return false;
	}
}

/** What was read stays, because the same person may sign in again. */
function noteSignedOut(client: QueryClient): void {
	client.setQueryData<Presence>(KEY, (presence) => presence && { ...presence, person: null });
}

/** Reads again who is signed in. Resolves when it is known, or when it could not be read. */
export function refreshPresence(client: QueryClient): Promise<void> {
	return client.invalidateQueries({ queryKey: KEY });
}

/** Whether the person has a fresh proof. Another page of the same session may have given it, so it asks the service. */
export async function isProven(client: QueryClient): Promise<boolean> {
	const presence = client.getQueryData<Presence>(KEY);
	if (hasFreshProof(presence)) return true;
	try {
		return hasFreshProof(await readPresence(client));
	} catch {
		// The change itself will tell.
		return true;
	}
}

function hasFreshProof(presence: Presence | undefined): boolean {
	const provenUntil = presence?.person?.proven_until;
	return typeof provenUntil === 'string' && serverNowMs() < Date.parse(provenUntil);
}

/** Forgets everything that was read, except who is signed in. */
function forgetAnswers(client: QueryClient): void {
	client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY[0] });
}
