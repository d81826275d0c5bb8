import type { DashboardChanges, PasskeyAnswer } from '@bursar/contract/dashboard';
import { useState } from 'react';
import type { FailureText } from '../../calls/failure-texts.ts';
import { useChange } from '../../calls/use-change.ts';

type QuestionPath = Extract<keyof DashboardChanges, `${string}/question`>;

/**
 * Gets a question about a passkey, and has the browser answer it: with one of the person's passkeys (`use`), or with a
 * new one (`make`).
 */
export function usePasskeyQuestion(path: QuestionPath, how: 'use' | 'make') {
	const question = useChange(path);
	const [isAsking, setAsking] = useState(false);
	const [none, setNone] = useState<FailureText>();

	/** The browser's answer; `undefined` if there is none, and then `failure` or `none` says why. */
	async function ask(): Promise<PasskeyAnswer | undefined> {
		setNone(undefined);
		const options = await question.run({});
		if (!options) return undefined;
		setAsking(true);
		const { answerWithPasskey } = await import('./passkeys.ts');
		const tried = await answerWithPasskey(options, how);
		setAsking(false);
		if ('response' in tried) return tried.response;
		setNone(tried.none);
		return undefined;
	}

	return { ask, isBusy: question.isBusy || isAsking, failure: question.failure, none };
}
