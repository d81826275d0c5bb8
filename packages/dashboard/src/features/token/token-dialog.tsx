import type { PreviousToken } from '@bursar/contract/dashboard';
import { Button, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ActDialogProps } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import { actTexts } from '../../acts/texts.ts';
import type { Act } from '../../acts/use-act.ts';
import { useServerNow } from '../../calls/server-clock.ts';
import { useRead, useTakeOver } from '../../calls/use-read.ts';
import { momentText } from '../../format/time.ts';
import { ExplainedButton } from '../../forms/explained-button.tsx';
import { IfMay } from '../../page/if-may.tsx';
import { Section } from '../../page/section.tsx';
import { SecretActDialog } from '../../secrets/secret-dialog.tsx';
import { countdownOf, deadlineText } from './countdown.ts';
import { makerName, tokenTexts } from './texts.ts';
import classes from './token.module.css';

interface RotateProps {
	/** The e-mail address of the person who is signed in. */
	readonly email: string;
	/** Why it cannot be done now. */
	readonly reason: string | undefined;
}

/** A button that rotates the token, and shows the new one. */
export function RotateToken({ email, reason }: RotateProps) {
	return (
		<TokenDialog
			path="/token/rotate"
			title={tokenTexts.rotate}
			button={(open) => (
				<ExplainedButton reason={reason} onClick={open}>
					{tokenTexts.rotate}
				</ExplainedButton>
			)}
		>
			{(act) => <RotateForm act={act} email={email} />}
		</TokenDialog>
	);
}

const OVERLAPS = [0, 60, 240] as const;

interface RotateFormProps extends Pick<RotateProps, 'email'> {
	readonly act: Act<'/token/rotate'>;
}

/** Asks how long the previous token shall live. */
function RotateForm({ act, email }: RotateFormProps) {
	const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number]>(60);
	return (
		<ActForm
			act={act}
			body={{ overlap_seconds: overlap }}
			action={tokenTexts.rotateNow}
			repeated={<Repeated email={email} />}
		>
			<Text size="sm">{tokenTexts.rotateIntro}</Text>
			<Radio.Group
				label={tokenTexts.overlap}
				value={String(overlap)}
				onChange={(value) => setOverlap(Number(value) as typeof overlap)}
			>
				<Stack gap="sm" mt="xs">
					{OVERLAPS.map((seconds) => (
						<Radio
							key={seconds}
							value={String(seconds)}
							label={tokenTexts.overlaps[seconds]}
							description={tokenTexts.overlapHints[seconds]}
							disabled={act.isBusy}
							data-autofocus={seconds === overlap || undefined}
						/>
					))}
				</Stack>
			</Radio.Group>
		</ActForm>
	);
}

/** The way out if a token is lost or leaked: ends all tokens, after it was said what will break, and shows the new one. */
export function EndAllSection({ email }: Pick<RotateProps, 'email'>) {
	return (
		<TokenDialog
			path="/token/end-all"
			title={tokenTexts.endAll}
			button={(open) => (
				<IfMay path="/token/end-all">
					<Section title={tokenTexts.endAllTitle} lead={tokenTexts.endAllIntro} isDangerous>
						<Button color="red" variant="outline" onClick={open} w="fit-content">
							{tokenTexts.endAll}
						</Button>
					</Section>
				</IfMay>
			)}
		>
			{(act) => (
				<ActForm
					act={act}
					body={{}}
					action={tokenTexts.endAll}
					isDangerous
					startsAtCancel
					repeated={<Repeated email={email} />}
				>
					<Text size="sm" fw={600}>
						{tokenTexts.endAllBreaks}
					</Text>
					<ul className={classes.effects}>
						{Object.values(tokenTexts.endAllEffects).map((effect) => (
							<li key={effect}>{effect}</li>
						))}
					</ul>
				</ActForm>
			)}
		</TokenDialog>
	);
}

type TokenDialogProps<Path extends '/token/rotate' | '/token/end-all'> = Pick<
	ActDialogProps<Path>,
	'path' | 'title' | 'button' | 'children'
>;

/** The dialog of an act that replaces the token. */
function TokenDialog<Path extends '/token/rotate' | '/token/end-all'>(props: TokenDialogProps<Path>) {
	const takeOver = useTakeOver();
	return (
		<SecretActDialog
			{...props}
			done={(answer) => takeOver({ path: '/token', query: {}, answer: answer?.state })}
			secretOf={({ token, state: { previous } }) => ({
				title: tokenTexts.newTitle,
				secret: token,
				label: tokenTexts.newLabel,
				intro: tokenTexts.newIntro,
				note: previous ? <Deadline previous={previous} /> : tokenTexts.allEnded,
				askTitle: tokenTexts.askTitle,
				ask: tokenTexts.ask,
			})}
		/>
	);
}

function Deadline({ previous }: { readonly previous: PreviousToken }) {
	return deadlineText(countdownOf(previous, useServerNow(250)).secondsUntilExpiry);
}

/** Says what became of a change whose answer was lost, as soon as the token was read again. */
function Repeated({ email }: Pick<RotateProps, 'email'>) {
	const { data, error, isFetchedAfterMount } = useRead('/token', {}, { staleMs: 0 });
	if (!data || error || !isFetchedAfterMount) return actTexts.repeated;
	const { tail, made, made_by } = data.current;
	const happened =
		made_by === email
			? tokenTexts.lostHappened(tail, momentText(made))
			: tokenTexts.lostOther(tail, momentText(made), makerName(made_by, email));
	return `${happened} ${tokenTexts.lostWayOut}`;
}
