import type { PreviousToken, TokenState } from '@bursar/contract/dashboard';
import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { actTitle, DialogForm } from '../../acts/act-form.tsx';
import { actTexts } from '../../acts/texts.ts';
import { useServerNow } from '../../calls/server-clock.ts';
import { Failure } from '../../page/failure.tsx';
import { SecretDialog } from '../../secrets/secret-dialog.tsx';
import { type SecretClosing, SecretPanel } from '../../secrets/secret-panel.tsx';
import { countdownOf, deadlineText } from './countdown.ts';
import { LostChange } from './lost-change.tsx';
import { tokenTexts } from './texts.ts';
import classes from './token.module.css';
import type { OpenTokenChange, OverlapSeconds, TokenChangeControl } from './use-token-change.ts';

interface Props {
	readonly control: TokenChangeControl;
	/** What was read last, and when by the clock of this computer, in Unix milliseconds. */
	readonly state: TokenState;
	readonly readAtMs: number;
}

/** Rotates the token or ends all of them, and shows the new one. */
export function TokenDialog({ control, state, readAtMs }: Props) {
	const { change, begin, send, chooseOverlap, end } = control;

	function panel(open: OpenTokenChange, closing: SecretClosing) {
		if (open.newToken !== undefined) {
			return <NewTokenPanel token={open.newToken} previous={state.previous} {...closing} />;
		}
		if (open.act.state !== 'open') {
			return (
				<LostChange
					change={open}
					after={state.current}
					readAtMs={readAtMs}
					onTryAgain={send}
					onEndAll={() => begin('end_all', state.current, open.email)}
					onClose={closing.onClose}
				/>
			);
		}
		if (open.kind === 'end_all') return <EndAllForm change={open} onSend={send} onCancel={closing.onClose} />;
		return <RotateForm change={open} onChoose={chooseOverlap} onSend={send} onCancel={closing.onClose} />;
	}

	return (
		<SecretDialog
			isOpen={change !== undefined}
			title={change && titleOf(change)}
			isBusy={change?.act.isBusy === true}
			isSecretShown={change?.newToken !== undefined}
			onClose={end}
		>
			{(closing) => change && panel(change, closing)}
		</SecretDialog>
	);
}

function titleOf({ newToken, act, kind }: OpenTokenChange): string {
	if (newToken !== undefined) return tokenTexts.newTitle;
	return actTitle(act, kind === 'rotate' ? tokenTexts.rotate : tokenTexts.endAll);
}

const OVERLAPS: readonly OverlapSeconds[] = [0, 60, 240];

interface RotateFormProps {
	readonly change: OpenTokenChange;
	readonly onChoose: (overlapSeconds: OverlapSeconds) => void;
	readonly onSend: () => void;
	readonly onCancel: () => void;
}

/** Asks how long the previous token shall live. */
function RotateForm({ change, onChoose, onSend, onCancel }: RotateFormProps) {
	return (
		<DialogForm act={{ ...change.act, close: onCancel }} onSubmit={onSend} action={tokenTexts.rotateNow}>
			<Text size="sm">{tokenTexts.rotateIntro}</Text>
			<Radio.Group
				label={tokenTexts.overlap}
				value={String(change.overlapSeconds)}
				onChange={(value) => onChoose(Number(value) as OverlapSeconds)}
			>
				<Stack gap="sm" mt="xs">
					{OVERLAPS.map((seconds) => (
						<Radio
							key={seconds}
							value={String(seconds)}
							label={tokenTexts.overlaps[seconds]}
							description={tokenTexts.overlapHints[seconds]}
							disabled={change.act.isBusy}
							data-autofocus={seconds === change.overlapSeconds || undefined}
						/>
					))}
				</Stack>
			</Radio.Group>
		</DialogForm>
	);
}

interface EndAllFormProps {
	readonly change: OpenTokenChange;
	readonly onSend: () => void;
	readonly onCancel: () => void;
}

/** Says what will break, and ends all tokens. */
function EndAllForm({ change, onSend, onCancel }: EndAllFormProps) {
	return (
		<Stack gap="lg">
			<Stack gap="xs">
				<Text size="sm" fw={600}>
					{tokenTexts.endAllBreaks}
				</Text>
				<ul className={classes.effects}>
					{Object.values(tokenTexts.endAllEffects).map((effect) => (
						<li key={effect}>{effect}</li>
					))}
				</ul>
			</Stack>
			<Failure error={change.act.failure} />
			<Group justify="flex-end">
				<Button variant="default" disabled={change.act.isBusy} onClick={onCancel} data-autofocus>
					{actTexts.cancel}
				</Button>
				<Button color="red" loading={change.act.isBusy} onClick={onSend}>
					{tokenTexts.endAll}
				</Button>
			</Group>
		</Stack>
	);
}

interface NewTokenPanelProps extends SecretClosing {
	readonly token: string;
	readonly previous: PreviousToken | null;
}

/** Shows a new token once. */
function NewTokenPanel({ token, previous, ...closing }: NewTokenPanelProps) {
	return (
		<SecretPanel
			secret={token}
			label={tokenTexts.newLabel}
			intro={tokenTexts.newIntro}
			note={previous ? <Deadline previous={previous} /> : tokenTexts.allEnded}
			askTitle={tokenTexts.askTitle}
			ask={tokenTexts.ask}
			{...closing}
		/>
	);
}

function Deadline({ previous }: { readonly previous: PreviousToken }) {
	return deadlineText(countdownOf(previous, useServerNow(250)).secondsUntilExpiry);
}
