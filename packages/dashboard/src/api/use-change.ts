import type { DashboardChanges } from '@bursar/contract/dashboard';
import { useState } from 'react';
import type { CallError } from './call.ts';
import { useSendOnce } from './use-send-once.ts';

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
