import type { DashboardChanges } from '@bursar/contract/dashboard';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { CallError } from './call.ts';
import { noteSignedOut } from './presence.ts';
import { useSendProven } from './use-send-proven.ts';

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
	const client = useQueryClient();
	const sendProven = useSendProven();
	const isUnderWay = useRef(false);
	const [state, setState] = useState<{ readonly isBusy: boolean; readonly failure?: CallError }>({ isBusy: false });

	async function run(body: DashboardChanges[Path]['body']) {
		if (isUnderWay.current) return undefined;
		isUnderWay.current = true;
		setState({ isBusy: true });
		try {
			const answer = await sendProven(path, body);
			setState({ isBusy: false });
			return answer;
		} catch (error) {
			const failure = error instanceof CallError ? error : new CallError('lost');
			if (failure.code === 'signed_out') noteSignedOut(client);
			setState({ isBusy: false, failure });
			return undefined;
		} finally {
			isUnderWay.current = false;
		}
	}

	return { run, ...state, failure: state.failure, clear: () => setState({ isBusy: state.isBusy }) };
}
