import type { CurrentToken } from '@bursar/contract/dashboard';
import { Button, Group, Text } from '@mantine/core';
import { Panel } from '../../acts/panel.tsx';
import { actTexts } from '../../acts/texts.ts';
import { momentText } from '../../format/time.ts';
import { Failure } from '../../page/failure.tsx';
import { pageTexts } from '../../page/texts.ts';
import { type RotationVerdict, rotationVerdict } from './rotation-verdict.ts';
import { makerName, tokenTexts } from './texts.ts';
import type { OpenTokenChange } from './use-token-change.ts';

interface Props {
	/** Its answer was lost. */
	readonly change: OpenTokenChange;
	/** The token as it was read last, and when by the clock of this computer, in Unix milliseconds. */
	readonly after: CurrentToken;
	readonly readAtMs: number;
	readonly onTryAgain: () => void;
	readonly onEndAll: () => void;
	readonly onClose: () => void;
}

/** Says whether a change happened whose answer was lost, and what to do. */
export function LostChange({ change, after, readAtMs, onTryAgain, onEndAll, onClose }: Props) {
	const { act, before, email } = change;
	const verdict = rotationVerdict({
		before,
		after,
		email,
		readAfterMs: readAtMs - (act.lostAtMs ?? readAtMs),
		isRepeated: act.state === 'repeated',
	});
	const isTokenGone = verdict === 'happened' || verdict === 'changed_by_other';
	return (
		<Panel>
			<Text size="sm" role="status">
				{verdictText(verdict, after, email)}
			</Text>
			{isTokenGone && <Text size="sm">{tokenTexts.lostWayOut}</Text>}
			<Failure error={act.failure} />
			<Group justify="flex-end">
				<Button variant="default" disabled={act.isBusy} onClick={onClose}>
					{actTexts.close}
				</Button>
				{verdict === 'not_happened' && (
					<Button loading={act.isBusy} onClick={onTryAgain}>
						{pageTexts.retry}
					</Button>
				)}
				{isTokenGone && (
					<Button color="red" onClick={onEndAll}>
						{tokenTexts.endAll}
					</Button>
				)}
			</Group>
		</Panel>
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
