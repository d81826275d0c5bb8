import type { DashboardChanges } from '@bursar/contract/dashboard';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { CallError } from './call.ts';
import { sendSignedIn } from './presence.ts';
import { useSendProven } from './use-send-proven.ts';

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
			return { failure: error instanceof CallError ? error : new CallError('lost') };
		} finally {
			isUnderWay.current = false;
		}
	};
}
