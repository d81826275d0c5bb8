import { CALLS, type DashboardChanges } from '@bursar/contract/dashboard';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useRef, useState } from 'react';
import { CallError, callErrorOf, change } from './call.ts';
import { isProven, sendSignedIn } from './presence.ts';

/** A change that a component can ask for. */
export interface Change<Path extends keyof DashboardChanges> {
	/**
	 * Sends the change once. If it needs a proof, it asks for one and sends it again. Answers `undefined` if it failed,
	 * if the person gave no proof, or if a previous one is still under way.
	 */
	readonly run: (body: DashboardChanges[Path]['body']) => Promise<DashboardChanges[Path]['answer'] | undefined>;
	readonly isBusy: boolean;
	/** Why the last one failed. */
	readonly failure: CallError | undefined;
	/** Forgets the failure. */
	readonly clear: () => void;
}

/**
 * A change by the dashboard's own API. Unlike `useMutation`, it keeps neither what was sent nor what was answered:
 * passwords and tokens stay in the component that uses them.
 */
export function useChange<Path extends keyof DashboardChanges>(path: Path): Change<Path> {
	const sendOnce = useSendOnce();
	const [state, setState] = useState<{ readonly isBusy: boolean; readonly failure?: CallError | undefined }>({
		isBusy: false,
	});

	async function run(body: DashboardChanges[Path]['body']) {
		setState({ isBusy: true });
		const sent = await sendOnce(path, body);
		if (!sent) return undefined;
		setState({ isBusy: false, failure: sent.failure });
		return sent.answer;
	}

	return { run, ...state, failure: state.failure, clear: () => setState({ isBusy: state.isBusy }) };
}

/** What became of a change: its answer (`undefined` if the person gave no proof), or why it failed. */
export type Sent<Answer> =
	| { readonly answer: Answer | undefined; readonly failure?: undefined }
	| { readonly answer?: undefined; readonly failure: CallError };

/** Sends one change at a time, and asks for a proof if it needs one. While one is under way, the next is `undefined`. */
export function useSendOnce() {
	const client = useQueryClient();
	const sendProven = useSendProven();
	const isUnderWay = useRef(false);

	return async function sendOnce<Path extends keyof DashboardChanges>(
		path: Path,
		body: DashboardChanges[Path]['body'],
	): Promise<Sent<DashboardChanges[Path]['answer']> | undefined> {
		if (isUnderWay.current) return undefined;
		isUnderWay.current = true;
		try {
			return { answer: await sendSignedIn(client, (email) => sendProven(path, body, email)) };
		} catch (error) {
			const failure = callErrorOf(error);
			// The page does not say yet that the reseller is suspended.
			if (failure.code === 'suspended') void client.invalidateQueries({ queryKey: ['/suspension'] });
			return { failure };
		} finally {
			isUnderWay.current = false;
		}
	};
}

/**
 * Sends a change of the person with this e-mail address. If it needs a proof and there is no fresh one, asks for it
 * first. The change resolves with `undefined` if the person gives no proof, and throws `CallError`.
 */
function useSendProven() {
	const client = useQueryClient();
	const prove = useProve();

	return async function sendProven<Path extends keyof DashboardChanges>(
		path: Path,
		body: DashboardChanges[Path]['body'],
		email: string | undefined,
	): Promise<DashboardChanges[Path]['answer'] | undefined> {
		if (CALLS[path].proof && !(await isProven(client)) && !(await prove())) return undefined;
		try {
			return await change(path, body, email);
		} catch (error) {
			if (!(error instanceof CallError) || error.code !== 'proof_required') throw error;
			// The proof has ended meanwhile.
			return (await prove()) ? await change(path, body, email) : undefined;
		}
	};
}

/**
 * Asks the person for a proof (password and code, or passkey). Resolves with `true` once there is a fresh one, and with
 * `false` if the person gives none.
 */
type Prove = () => Promise<boolean>;

/** Provided around all pages. */
export const ProveContext = createContext<Prove>(async () => false);

function useProve(): Prove {
	return useContext(ProveContext);
}
