import type { DashboardChanges } from '@bursar/contract/dashboard';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type CallCode, callErrorOf, change } from '../../calls/call.ts';
import { sendSignedIn } from '../../calls/presence.ts';
import { useReadNow } from '../../calls/use-read.ts';
import { useRefreshSubUsers } from '../terms/use-sub-user.ts';
import { dropRun, findRun, keepRun } from './kept-run.ts';
import { OPERATIONS } from './operations.ts';
import { bodyOf, isLeft, type Outcome, type Run, type RunLine } from './run.ts';
import { runLines, type StopReason } from './run-lines.ts';

/** How often the page shows new outcomes, and how often they are kept, in milliseconds. */
const SHOW_MS = 200;
const KEEP_MS = 1_000;

interface ManyState {
	readonly run: Run | undefined;
	readonly isRunning: boolean;
	readonly stoppedBy?: StopReason | undefined;
	/** Whether the run survives a reload of the page. */
	readonly isKept: boolean;
}

/** The run of this person: it begins, stops, and goes on. Leaving the page stops it. */
export function useMany(email: string, draft: string | undefined) {
	const [state, setState] = useState<ManyState>(() => ({
		run: findRunFor(email, draft),
		isRunning: false,
		isKept: true,
	}));
	// A run that had ended before this page was drawn was shown by an earlier visit.
	const [isOwn, setOwn] = useState(state.run?.lines.some(isLeft) ?? false);
	const send = useSendLine();
	const refresh = useRefreshSubUsers();
	const stopping = useRef<AbortController>(undefined);
	useEffect(() => () => stopping.current?.abort(), []);

	async function start(begun: Run): Promise<void> {
		if (stopping.current) return;
		const controller = new AbortController();
		stopping.current = controller;
		setOwn(true);
		let run = begun;
		let keptMs = performance.now();
		// The ids of all acts are kept before the first line is sent.
		let isKept = keepRun({ email, isSettled: false, run });
		let shownLater: ReturnType<typeof setTimeout> | undefined;
		setState({ run, isRunning: true, isKept });

		function show(): void {
			shownLater = undefined;
			if (performance.now() - keptMs > KEEP_MS) {
				isKept = keepRun({ email, isSettled: false, run });
				keptMs = performance.now();
			}
			setState({ run, isRunning: true, isKept });
		}
		const stoppedBy = await runLines(run, {
			send: (line) => send(run, line),
			onOutcome(index: number, outcome: Outcome) {
				run = { ...run, lines: run.lines.with(index, { ...(run.lines[index] as RunLine), outcome }) };
				shownLater ??= setTimeout(show, SHOW_MS);
			},
			signal: controller.signal,
		});
		clearTimeout(shownLater);
		isKept = keepRun({ email, isSettled: true, run });
		stopping.current = undefined;
		setState({ run, isRunning: false, isKept, stoppedBy });
		await refresh();
	}

	return {
		...state,
		/** Whether it ran in this page, or has lines left. */
		isOwn,
		start,
		stop: () => stopping.current?.abort(),
		/** Forgets a run that is not under way. */
		drop() {
			if (stopping.current) return;
			dropRun();
			setState({ run: undefined, isRunning: false, isKept: true });
		},
	};
}

/** A run that has ended makes room for what was selected since. */
function findRunFor(email: string, draft: string | undefined): Run | undefined {
	const run = findRun(email);
	const isSuperseded = draft !== undefined && run?.draft !== draft && !run?.lines.some(isLeft);
	return isSuperseded ? undefined : run;
}

/** Sends one line for the person who is signed in. */
function useSendLine() {
	const client = useQueryClient();
	const readNow = useReadNow();

	return async function sendLine(run: Run, line: RunLine): Promise<CallCode | undefined> {
		const { path } = OPERATIONS[run.operation];
		const code = await codeOf(() =>
			sendSignedIn(client, (email) => change(path, bodyOf(run, line) as DashboardChanges[typeof path]['body'], email)),
		);
		// An act that created nothing is recorded too, if it has paid the fee for a name that is taken.
		if (run.operation !== 'create' || code !== 'act_repeated') return code;
		const looked = await codeOf(() => readNow('/sub-user', { username: line.username }));
		if (looked === 'unknown_sub_user') return 'username_taken';
		return looked === undefined ? undefined : 'lost';
	};
}

async function codeOf(call: () => Promise<unknown>): Promise<CallCode | undefined> {
	try {
		await call();
		return undefined;
	} catch (error) {
		return callErrorOf(error).code;
	}
}
