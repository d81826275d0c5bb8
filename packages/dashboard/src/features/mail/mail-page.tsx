import type { MailHealth } from '@bursar/contract/dashboard';
import { Alert, Stack, Text } from '@mantine/core';
import { useRead } from '../../calls/use-read.ts';
import { numberText } from '../../format/number.ts';
import { Answered } from '../../page/answered.tsx';
import { Facts } from '../../page/facts.tsx';
import { Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { Page } from '../../page/page.tsx';
import { Section } from '../../page/section.tsx';
import { pageNames } from '../../shell/texts.ts';
import { mailTexts } from './texts.ts';

/** How the mails of the service fare, for operators. */
export function MailPage() {
	const query = useRead('/operator/mail', {}, { everyMs: 30_000 });
	return (
		<Page title={pageNames.mail} lead={mailTexts.lead}>
			<Answered query={query}>{(health) => <Health health={health} />}</Answered>
		</Page>
	);
}

function Health({ health }: { readonly health: MailHealth }) {
	const { server, from, waiting, failing, given_up } = health;
	return (
		<>
			{server !== null && failing > 0 && <Failing health={health} />}
			<Section title={mailTexts.title} lead={server === null ? mailTexts.notSetUp : undefined}>
				<Facts
					facts={[
						...(server === null ? [] : [{ name: mailTexts.server, value: server }]),
						...(from === null ? [] : [{ name: mailTexts.from, value: <Name>{from}</Name> }]),
						{ name: mailTexts.waiting, value: numberText(waiting) },
						{ name: mailTexts.failing, value: numberText(failing) },
						{ name: mailTexts.givenUp, value: numberText(given_up) },
					]}
				/>
			</Section>
		</>
	);
}

function Failing({ health: { failing_since, last_failure } }: { readonly health: MailHealth }) {
	return (
		<Alert color="yellow" title={mailTexts.failingTitle}>
			<Stack gap="xs">
				{last_failure !== null && <Text size="sm">{mailTexts.failure(last_failure)}</Text>}
				{failing_since !== null && (
					<Text size="sm">
						{mailTexts.since} <Moment at={failing_since} />.
					</Text>
				)}
				<Text size="sm">{mailTexts.retried}</Text>
			</Stack>
		</Alert>
	);
}
