import type { CurrentToken } from '@bursar/contract/dashboard';
import { Button, Group, Stack, Text } from '@mantine/core';
import { momentText } from '../../../format/time.ts';
import { Failure } from '../../../frame/failure.tsx';
import { focusOnMount } from '../../../frame/focus-on-mount.ts';
import { tokenTexts } from '../../../texts/token.ts';
import type { LostAnswer, TokenChange } from '../api/use-token-change.ts';
import { makerName } from '../maker-name.ts';
import { type RotationVerdict, rotationVerdict } from '../rotation-verdict.ts';
import classes from './token.module.css';

interface Props {
	readonly change: TokenChange;
	readonly lost: LostAnswer;
	/** The token as it was read last, and when by the clock of this computer, in Unix milliseconds. */
	readonly after: CurrentToken;
	readonly readAtMs: number;
	readonly onTryAgain: () => void;
	readonly onEndAll: () => void;
	readonly onClose: () => void;
}

/** Says whether a change happened whose answer was lost, and what to do. */
export function LostChange({ change, lost, after, readAtMs, onTryAgain, onEndAll, onClose }: Props) {
	const verdict = rotationVerdict({
		before: change.before,
		after,
		email: change.email,
		readAfterMs: readAtMs - lost.atMs,
		isRepeated: lost.isRepeated,
	});
	const isTokenGone = verdict === 'happened' || verdict === 'changed_by_other';
	return (
		<Stack gap="lg" ref={focusOnMount} tabIndex={-1} className={classes.panel}>
			<Text size="sm" role="status">
				{verdictText(verdict, after, change.email)}
			</Text>
			{isTokenGone && <Text size="sm">{tokenTexts.lostWayOut}</Text>}
			<Failure error={change.failure} />
			<Group justify="flex-end">
				<Button variant="default" disabled={change.isBusy} onClick={onClose}>
					{tokenTexts.close}
				</Button>
				{verdict === 'not_happened' && (
					<Button loading={change.isBusy} onClick={onTryAgain}>
						{tokenTexts.tryAgain}
					</Button>
				)}
				{isTokenGone && (
					<Button color="red" onClick={onEndAll}>
						{tokenTexts.endAll}
					</Button>
				)}
			</Group>
		</Stack>
	);
}

function verdictText(verdict: RotationVerdict, { tail, made, made_by }: CurrentToken, email: string): string {
	switch (verdict) {
		case 'unread':
			return tokenTexts.lostReading;
		case 'not_yet':
			return tokenTexts.lostNotYet(tail);
		case 'not_happened':
			return tokenTexts.lostNotHappened(tail, momentText(made));
		case 'happened':
			return tokenTexts.lostHappened(tail, momentText(made));
		case 'changed_by_other':
			return tokenTexts.lostOther(tail, momentText(made), makerName(made_by, email));
	}
}
