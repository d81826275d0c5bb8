import type { ListedWebhook } from '@bursar/contract/dashboard';
import { Code, Group, Text } from '@mantine/core';
import { useMay } from '../../calls/use-may.ts';
import { numberText } from '../../format/number.ts';
import { Empty } from '../../lists/empty.tsx';
import { Answered } from '../../page/answered.tsx';
import { type Fact, Facts } from '../../page/facts.tsx';
import { IfMay } from '../../page/if-may.tsx';
import { Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { BackLink, Page } from '../../page/page.tsx';
import { Section } from '../../page/section.tsx';
import { Copyable } from '../../secrets/copyable.tsx';
import { pageNames } from '../../shell/texts.ts';
import { eventTypeTexts, webhookStateTexts, webhooksTexts } from './texts.ts';
import { TriesSection } from './tries-section.tsx';
import { useWebhooks } from './use-webhooks.ts';
import {
	DeleteWebhook,
	MoveWebhook,
	RotateSecret,
	SwitchWebhook,
	TestWebhook,
	wantsPosition,
} from './webhook-actions.tsx';
import { ChangeWebhook } from './webhook-form.tsx';
import { reasonText, WebhookState } from './webhook-state.tsx';
import classes from './webhooks.module.css';
import { ReferenceLink } from './webhooks-page.tsx';

/** One webhook of a reseller. All its people see this page, and owners change it. */
export function WebhookPage({ id }: { readonly id: string }) {
	const query = useWebhooks();
	const webhook = query.data?.webhooks.find((each) => each.id === id);
	return (
		<Page
			title={webhook ? new URL(webhook.url).host : pageNames.webhooks}
			lead={<BackLink href="/webhooks">{webhooksTexts.all}</BackLink>}
		>
			<Answered query={query}>
				{() => (webhook ? <Sections webhook={webhook} /> : <Empty>{webhooksTexts.unknown}</Empty>)}
			</Answered>
		</Page>
	);
}

function Sections({ webhook }: { readonly webhook: ListedWebhook }) {
	return (
		<>
			<StateSection webhook={webhook} />
			<TargetSection webhook={webhook} />
			<TriesSection id={webhook.id} isTested={webhook.test_asked !== null} />
			<SecretSection webhook={webhook} />
			<IfMay path="/webhooks/update">
				<Section title={webhooksTexts.position} lead={webhooksTexts.positionLead}>
					<MoveWebhook webhook={webhook} />
				</Section>
			</IfMay>
			<IfMay path="/webhooks/delete">
				<Section title={webhooksTexts.delete} lead={webhooksTexts.deleteLead} isDangerous>
					<DeleteWebhook webhook={webhook} />
				</Section>
			</IfMay>
		</>
	);
}

function StateSection({ webhook }: { readonly webhook: ListedWebhook }) {
	const mayChange = useMay('/webhooks/update');
	const { off } = webhook;
	const reason = reasonText(webhook);
	return (
		<Section
			title={webhooksTexts.state}
			lead={mayChange ? undefined : webhooksTexts.onlyOwners}
			actions={
				mayChange && (
					<Group gap="xs">
						<TestWebhook webhook={webhook} />
						{wantsPosition(webhook) ? <MoveWebhook webhook={webhook} /> : <SwitchWebhook webhook={webhook} />}
					</Group>
				)
			}
		>
			<Group gap="xs" role="status">
				<WebhookState webhook={webhook} />
				{reason !== undefined && (
					<Text size="sm">
						{reason} {off !== null && mayChange && webhookStateTexts.todo[off]}
					</Text>
				)}
				{webhook.test_asked !== null && <Text size="sm">{webhooksTexts.testAsked}</Text>}
			</Group>
			<Facts facts={factsOf(webhook)} />
		</Section>
	);
}

function factsOf(webhook: ListedWebhook): readonly Fact[] {
	const { behind, reached, newest, failing_since, failed_tries, next_try, created } = webhook;
	return [
		{
			name: webhooksTexts.behind,
			value: behind === 0 ? webhooksTexts.nothingBehind : webhooksTexts.behindBy(behind),
		},
		{ name: webhooksTexts.reached, value: webhooksTexts.reachedOf(reached, newest) },
		...(failing_since === null
			? []
			: [
					{ name: webhooksTexts.failingSince, value: <Moment at={failing_since} /> },
					{ name: webhooksTexts.failedTries, value: numberText(failed_tries) },
				]),
		...(next_try === null ? [] : [{ name: webhooksTexts.nextTry, value: <Moment at={next_try} /> }]),
		{ name: webhooksTexts.created, value: <Moment at={created} /> },
	];
}

function TargetSection({ webhook }: { readonly webhook: ListedWebhook }) {
	const { url, types, id } = webhook;
	return (
		<Section
			title={webhooksTexts.target}
			actions={
				<IfMay path="/webhooks/update">
					<ChangeWebhook webhook={webhook} />
				</IfMay>
			}
		>
			<Facts
				as="lines"
				facts={[
					{ name: webhooksTexts.url, value: <Name>{url}</Name> },
					{
						name: webhooksTexts.events,
						value:
							types === null ? (
								webhooksTexts.allEvents
							) : (
								<ul className={classes.wanted}>
									{types.map((type) => (
										<li key={type}>
											<Code title={eventTypeTexts[type]}>{type}</Code>
										</li>
									))}
								</ul>
							),
					},
					{ name: webhooksTexts.id, value: <Name>{id}</Name> },
				]}
			/>
		</Section>
	);
}

const VERIFY = 'const event = await verifyWebhook(await request.text(), request.headers, secret);';

function SecretSection({ webhook }: { readonly webhook: ListedWebhook }) {
	return (
		<Section
			title={webhooksTexts.secret}
			lead={webhooksTexts.secretLead}
			actions={
				<IfMay path="/webhooks/rotate-secret">
					<RotateSecret webhook={webhook} />
				</IfMay>
			}
		>
			<Text size="sm">{webhooksTexts.verify}</Text>
			<Copyable isCommand text={VERIFY} label={webhooksTexts.verify} />
			<ReferenceLink />
		</Section>
	);
}
