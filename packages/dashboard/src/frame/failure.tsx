import { CallError } from '../api/call.ts';
import { failureTexts, waitText } from '../texts/failures.ts';
import { FailureNote } from './failure-note.tsx';

interface Props {
	/** Nothing is shown without one. */
	readonly error: Error | null | undefined;
	/** Offers to try again. */
	readonly retry?: (() => void) | undefined;
}

/** Why a call failed. */
export function Failure({ error, retry }: Props) {
	if (!error) return null;
	// What is no failure of a call is a fault of the page.
	if (!(error instanceof CallError)) throw error;
	const text = failureTexts[error.code];
	return <FailureNote text={error.waitSeconds ? { ...text, todo: waitText(error.waitSeconds) } : text} retry={retry} />;
}
