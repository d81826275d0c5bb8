import { Alert, Button, Stack, Text } from '@mantine/core';
import { CallError } from '../calls/call.ts';
import { type FailureText, failureTexts, waitText } from '../calls/failure-texts.ts';
import { useIsSignedIn } from '../calls/presence.ts';
import { pageTexts } from './texts.ts';

interface Props {
	/** Nothing is shown without one. */
	readonly error: Error | null | undefined;
	/** Offers to try again. */
	readonly retry?: (() => void) | undefined;
}

/** Why a call failed. That the session has ended is shown only until the next sign-in. */
export function Failure({ error, retry }: Props) {
	const isSignedIn = useIsSignedIn();
	if (!error) return null;
	// What is no failure of a call is a fault of the page.
	if (!(error instanceof CallError)) throw error;
	if (error.code === 'signed_out' && isSignedIn) return null;
	const text = failureTexts[error.code];
	return <FailureNote text={error.waitSeconds ? { ...text, todo: waitText(error.waitSeconds) } : text} retry={retry} />;
}

interface FailureNoteProps {
	readonly text: FailureText;
	/** Offers to try again. */
	readonly retry?: (() => void) | undefined;
}

/** Says what happened and what to do. Screen readers read it aloud when it appears. */
export function FailureNote({ text: { happened, todo }, retry }: FailureNoteProps) {
	return (
		<Alert role="alert" color="red" title={happened}>
			<Stack align="flex-start" gap="sm">
				<Text size="sm">{todo}</Text>
				{retry && (
					<Button size="xs" variant="default" onClick={retry}>
						{pageTexts.retry}
					</Button>
				)}
			</Stack>
		</Alert>
	);
}
