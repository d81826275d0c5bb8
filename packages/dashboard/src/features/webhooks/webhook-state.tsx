import type { ListedWebhook } from '@bursar/contract/dashboard';
import { Text } from '@mantine/core';
import { StateBadge, type Tone } from '../../page/state-badge.tsx';
import { webhookStateTexts } from './texts.ts';

type Shown = Pick<ListedWebhook, 'off' | 'failing_since' | 'failed_tries'>;

/** Whether a webhook is on, and why it is not. */
export function WebhookState({ webhook }: { readonly webhook: Shown }) {
	const { off, failing_since } = webhook;
	const state = off !== null ? 'off' : failing_since !== null ? 'failing' : 'on';
	const isWanted = off === 'switched_off' || off === 'copied';
	const tones = { on: 'good', failing: 'waiting', off: isWanted ? 'off' : 'bad' } satisfies Record<typeof state, Tone>;
	return <StateBadge tone={tones[state]}>{webhookStateTexts.states[state]}</StateBadge>;
}

/** The same in a table, with the reason below it. */
export function ExplainedState({ webhook }: { readonly webhook: Shown }) {
	const reason = reasonText(webhook);
	return (
		<div>
			<WebhookState webhook={webhook} />
			{reason !== undefined && (
				<Text size="sm" c="dimmed">
					{reason}
				</Text>
			)}
		</div>
	);
}

/** Why a webhook is off, or that it fails. `undefined` if all is well. */
export function reasonText({ off, failing_since, failed_tries }: Shown): string | undefined {
	if (off !== null) return webhookStateTexts.reasons[off];
	return failing_since === null ? undefined : webhookStateTexts.failing(failed_tries);
}
