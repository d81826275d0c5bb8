import type { WebhookTry } from '@bursar/contract/dashboard';
import { visible } from '@bursar/contract/visible';
import { Button, Code, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../acts/dialog.tsx';
import { numberText } from '../../format/number.ts';
import { exactText } from '../../format/time.ts';
import { Empty } from '../../lists/empty.tsx';
import { type Column, Table } from '../../lists/table.tsx';
import { Answered } from '../../page/answered.tsx';
import { Placeholder } from '../../page/loading.tsx';
import { Section } from '../../page/section.tsx';
import { webhookTryTexts } from './texts.ts';
import { useWebhookTries } from './use-webhooks.ts';
import classes from './webhooks.module.css';

const SKELETON_HEIGHT = 200;

interface Props {
	readonly id: string;
	/** Whether a test event is on its way. */
	readonly isTested: boolean;
}

/** The last tries of a webhook, with what the receiver has answered. */
export function TriesSection({ id, isTested }: Props) {
	const query = useWebhookTries(id, isTested);
	const [shown, setShown] = useState<WebhookTry>();
	const [isOpen, setOpen] = useState(false);
	function show(tried: WebhookTry) {
		setShown(tried);
		setOpen(true);
	}
	return (
		<Section title={webhookTryTexts.title} lead={webhookTryTexts.lead}>
			<Answered query={query} skeleton={<Placeholder height={SKELETON_HEIGHT} />}>
				{({ tries }) =>
					tries.length === 0 ? (
						<Empty>{webhookTryTexts.none}</Empty>
					) : (
						<Table
							label={webhookTryTexts.label}
							columns={[...COLUMNS, answerColumn(show)]}
							rows={tries}
							keyOf={({ event_id, at }) => `${event_id} ${at}`}
						/>
					)
				}
			</Answered>
			<Dialog
				opened={isOpen}
				onClose={() => setOpen(false)}
				title={shown && webhookTryTexts.answerTitle(exactText(shown.at))}
				size="lg"
			>
				{shown && <Answer tried={shown} />}
			</Dialog>
		</Section>
	);
}

const COLUMNS: readonly Column<WebhookTry>[] = [
	{ name: webhookTryTexts.at, cell: ({ at }) => <time dateTime={at}>{exactText(at)}</time> },
	{
		name: webhookTryTexts.event,
		cell: ({ event_type, event_number }) => (
			<>
				<Code>{event_type}</Code>
				{event_number > 0 && (
					<Text size="sm" c="dimmed">
						{webhookTryTexts.eventNumber(event_number)}
					</Text>
				)}
			</>
		),
	},
	{ name: webhookTryTexts.result, cell: (tried) => <Result tried={tried} /> },
	{ name: webhookTryTexts.took, isNumber: true, cell: ({ took }) => `${numberText(took)} ms` },
];

function Result({ tried: { status } }: { readonly tried: WebhookTry }) {
	const isDelivered = status !== null && status >= 200 && status < 300;
	const text = isDelivered ? webhookTryTexts.delivered : webhookTryTexts.failed;
	return (
		<Text span size="sm" c={isDelivered ? 'inherit' : 'var(--mantine-color-error)'}>
			{status === null ? webhookTryTexts.noAnswer : text(String(status))}
		</Text>
	);
}

function answerColumn(show: (tried: WebhookTry) => void): Column<WebhookTry> {
	return {
		name: webhookTryTexts.answer,
		isNumber: true,
		cell: (tried) =>
			tried.answer === '' ? (
				webhookTryTexts.empty
			) : (
				<Button
					size="compact-xs"
					variant="default"
					aria-label={webhookTryTexts.showOne(exactText(tried.at))}
					onClick={() => show(tried)}
				>
					{webhookTryTexts.show}
				</Button>
			),
	};
}

/** A stranger has written it: it is shown as a text, with nothing in it that cannot be seen. */
function Answer({ tried: { status, answer } }: { readonly tried: WebhookTry }) {
	return (
		<Stack>
			<Text size="sm">{status === null ? webhookTryTexts.failureLead : webhookTryTexts.answerLead}</Text>
			<Code block className={classes.answer}>
				{visible(answer)}
			</Code>
		</Stack>
	);
}
