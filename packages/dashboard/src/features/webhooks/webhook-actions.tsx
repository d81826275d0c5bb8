import type { ListedWebhook } from '@bursar/contract/dashboard';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import type { Act } from '../../acts/use-act.ts';
import { useTakeOver } from '../../calls/use-read.ts';
import { momentText } from '../../format/time.ts';
import { PlainTextInput } from '../../forms/plain-text-input.tsx';
import { SecretActDialog } from '../../secrets/secret-dialog.tsx';
import { webhooksTexts } from './texts.ts';
import { useRefreshWebhooks } from './use-webhooks.ts';

interface Props {
	readonly webhook: ListedWebhook;
}

/** A button that sends a test event, after a question. */
export function TestWebhook({ webhook: { id } }: Props) {
	return (
		<ActDialog
			path="/webhooks/test"
			done={useRefreshWebhooks()}
			title={webhooksTexts.testTitle}
			button={(open) => (
				<Button variant="default" onClick={open}>
					{webhooksTexts.test}
				</Button>
			)}
		>
			{(act) => (
				<ActForm act={act} body={{ id }} action={webhooksTexts.testNow}>
					<Text size="sm">{webhooksTexts.testIntro}</Text>
				</ActForm>
			)}
		</ActDialog>
	);
}

/** A button that switches a webhook off or on, after a question. */
export function SwitchWebhook({ webhook: { id, off, reached, behind } }: Props) {
	const isOffNow = off !== null;
	/** Stays the same while the dialog is open, even if it is switched meanwhile. */
	const [isOff, setOff] = useState(isOffNow);
	return (
		<ActDialog
			path="/webhooks/update"
			done={useRefreshWebhooks()}
			title={isOff ? webhooksTexts.switchOnTitle : webhooksTexts.switchOffTitle}
			button={(open) => (
				// The same button before and after, so that it keeps the focus.
				<Button
					variant={isOffNow ? 'filled' : 'default'}
					onClick={() => {
						setOff(isOffNow);
						open();
					}}
				>
					{isOffNow ? webhooksTexts.switchOn : webhooksTexts.switchOff}
				</Button>
			)}
		>
			{(act) => (
				<ActForm
					act={act}
					body={{ id, enabled: isOff }}
					action={isOff ? webhooksTexts.switchOn : webhooksTexts.switchOff}
				>
					<Text size="sm">
						{!isOff
							? webhooksTexts.switchOffIntro
							: behind === 0
								? webhooksTexts.nothingMissed
								: webhooksTexts.switchOnIntro(reached + 1)}
					</Text>
				</ActForm>
			)}
		</ActDialog>
	);
}

/** Whether a webhook wants a position before it can go on. */
export function wantsPosition({ off }: Pick<ListedWebhook, 'off'>): boolean {
	return off === 'events_expired' || off === 'events_rewound';
}

/** A button that has a webhook go on behind another event. One that is off only because of that is switched on. */
export function MoveWebhook({ webhook }: Props) {
	return (
		<ActDialog
			path="/webhooks/update"
			done={useRefreshWebhooks()}
			title={webhooksTexts.positionAction}
			button={(open) => (
				<Button variant={wantsPosition(webhook) ? 'filled' : 'default'} w="fit-content" onClick={open}>
					{webhooksTexts.positionAction}
				</Button>
			)}
		>
			{(act) => <MoveForm act={act} webhook={webhook} />}
		</ActDialog>
	);
}

function MoveForm({ act, webhook }: Props & { readonly act: Act<'/webhooks/update'> }) {
	const [text, setText] = useState('');
	const { id, newest } = webhook;
	const reached = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
	const isTooHigh = reached !== undefined && reached > newest;
	const isOff = wantsPosition(webhook);
	return (
		<ActForm
			act={act}
			body={reached === undefined || isTooHigh ? undefined : { id, reached, ...(isOff && { enabled: true }) }}
			action={webhooksTexts.positionNow}
		>
			<Text size="sm">
				{webhooksTexts.positionIntro} {isOff && webhooksTexts.positionSwitchesOn}
			</Text>
			<PlainTextInput
				label={webhooksTexts.positionField}
				description={webhooksTexts.positionHint(newest)}
				value={text}
				onType={(typed) => setText(typed.trim())}
				error={isTooHigh && webhooksTexts.positionTooHigh(newest)}
				inputMode="numeric"
				maxLength={15}
				disabled={act.isBusy}
				isFirst
			/>
		</ActForm>
	);
}

/** A button that makes a new secret, and shows it once. */
export function RotateSecret({ webhook: { id } }: Props) {
	return (
		<SecretActDialog
			path="/webhooks/rotate-secret"
			done={useRefreshWebhooks()}
			title={webhooksTexts.rotateTitle}
			button={(open) => (
				<Button variant="default" onClick={open}>
					{webhooksTexts.rotate}
				</Button>
			)}
			secretOf={({ secret, previous_until }) => ({
				title: webhooksTexts.secretTitle,
				secret,
				label: webhooksTexts.secretLabel,
				intro: webhooksTexts.secretIntro,
				note: webhooksTexts.rotated(momentText(previous_until)),
			})}
		>
			{(act) => (
				<ActForm act={act} body={{ id }} action={webhooksTexts.rotateNow} repeated={webhooksTexts.rotateLost}>
					<Text size="sm">{webhooksTexts.rotateIntro}</Text>
				</ActForm>
			)}
		</SecretActDialog>
	);
}

/** A button that deletes a webhook, after a question. Then the list of webhooks is shown. */
export function DeleteWebhook({ webhook: { id, url } }: Props) {
	const takeOver = useTakeOver();
	const [, go] = useLocation();
	return (
		<ActDialog
			path="/webhooks/delete"
			done={async (answer) => {
				if (answer) go('/webhooks');
				// Its tries are not read again: they are gone.
				await takeOver(undefined, ['/webhooks', '/activity']);
			}}
			title={webhooksTexts.deleteTitle}
			button={(open) => (
				<Button color="red" variant="outline" w="fit-content" onClick={open}>
					{webhooksTexts.delete}
				</Button>
			)}
		>
			{(act) => (
				<ActForm act={act} body={{ id }} action={webhooksTexts.deleteNow} isDangerous startsAtCancel>
					<Text size="sm" fw={600}>
						{url}
					</Text>
					<Text size="sm">{webhooksTexts.deleteLead}</Text>
				</ActForm>
			)}
		</ActDialog>
	);
}
