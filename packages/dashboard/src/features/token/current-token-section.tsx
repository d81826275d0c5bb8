import type { PreviousToken, TokenState } from '@bursar/contract/dashboard';
import { Alert, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useId } from 'react';
import { useServerNow } from '../../calls/server-clock.ts';
import { useMay } from '../../calls/use-may.ts';
import { agoText } from '../../format/time.ts';
import { Facts } from '../../page/facts.tsx';
import { Ago, Moment } from '../../page/moment.tsx';
import { Section } from '../../page/section.tsx';
import { clockText, countdownOf, spokenText } from './countdown.ts';
import { makerName, tokenTexts } from './texts.ts';
import classes from './token.module.css';
import { RotateToken } from './token-dialog.tsx';

interface Props {
	readonly state: TokenState;
	readonly email: string;
}

/** The token by its last characters, and the button that rotates it. */
export function CurrentTokenSection({ state: { current, previous }, email }: Props) {
	const mayRotate = useMay('/token/rotate');
	const pending = previous ? tokenTexts.rotationPending : undefined;
	const reason = mayRotate ? pending : tokenTexts.onlyOwners;
	return (
		<Section title={tokenTexts.current} help="token">
			<Stack gap="lg">
				{/* A new tail is read aloud when it appears. */}
				<p className={classes.tail} role="status" aria-label={tokenTexts.tailLabel(current.tail)}>
					<span aria-hidden="true">
						brs_<span className={classes.hidden}>••••••••</span>
						{current.tail}
					</span>
				</p>
				<Facts
					facts={[
						{ name: tokenTexts.made, value: <Moment at={current.made} /> },
						{ name: tokenTexts.madeBy, value: makerName(current.made_by, email) },
						{
							name: tokenTexts.lastUsed,
							value: current.last_used === null ? tokenTexts.never : <Ago at={current.last_used} />,
						},
					]}
				/>
				{previous && <PreviousTokenNote previous={previous} rotated={current.made} />}
				<RotateToken email={email} reason={reason} />
			</Stack>
		</Section>
	);
}

/** Fine enough that the countdown reaches 0 within a quarter of a second. */
const STEP_MS = 250;

interface PreviousTokenNoteProps {
	readonly previous: PreviousToken;
	/** When the rotation happened. */
	readonly rotated: string;
}

/** Counts down until the previous token expires, and says whether some program still uses it, and when to rotate again. */
function PreviousTokenNote({ previous, rotated }: PreviousTokenNoteProps) {
	const nowMs = useServerNow(STEP_MS);
	const worksForId = useId();
	const { secondsUntilExpiry, secondsUntilRotation } = countdownOf(previous, nowMs);
	const isExpired = secondsUntilExpiry === 0;
	const isStillUsed = previous.last_used !== null && Date.parse(previous.last_used) > Date.parse(rotated);
	return (
		<Alert color="yellow" title={tokenTexts.previousTitles[isExpired ? 'expired' : 'works'](previous.tail)}>
			<Group align="flex-start" gap="lg">
				<div>
					<Text size="sm" c="dimmed" id={worksForId}>
						{tokenTexts.worksFor}
					</Text>
					<div role="timer" aria-labelledby={worksForId} className={classes.clock}>
						{clockText(secondsUntilExpiry)}
					</div>
				</div>
				<Stack gap={4} flex="1 1 240px">
					<Text size="sm">{isExpired ? tokenTexts.previousExpired : tokenTexts.previousTodo}</Text>
					<Text size="sm" fw={isStillUsed ? 600 : undefined}>
						{previous.last_used === null
							? tokenTexts.previousUnused
							: tokenTexts.previousUsed(agoText(previous.last_used, nowMs))}
						{isStillUsed && ` ${tokenTexts.previousStillUsed}`}
					</Text>
					<Text size="sm" c="dimmed">
						{tokenTexts.nextRotation(clockText(secondsUntilRotation))}
					</Text>
				</Stack>
			</Group>
			<VisuallyHidden aria-live="polite">
				{isExpired ? tokenTexts.spokenExpired : spokenText(secondsUntilExpiry)}
			</VisuallyHidden>
		</Alert>
	);
}
