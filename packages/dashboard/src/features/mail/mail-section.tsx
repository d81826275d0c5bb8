import type { MailChoices, MailKind } from '@bursar/contract/dashboard';
import { Stack, Switch, Text } from '@mantine/core';
import { newActId } from '../../acts/act.ts';
import { useTakesPayments } from '../../calls/presence.ts';
import { useChange } from '../../calls/use-change.ts';
import { useRead, useTakeOver } from '../../calls/use-read.ts';
import { Answered } from '../../page/answered.tsx';
import { Failure } from '../../page/failure.tsx';
import { Section } from '../../page/section.tsx';
import { mailChoiceTexts, mailKindTexts } from './texts.ts';

/** Which mails the person gets. */
export function MailSection({ email }: { readonly email: string }) {
	const query = useRead('/account/mail', {});
	return (
		<Section
			title={mailChoiceTexts.title}
			lead={query.data?.is_set_up === false ? undefined : mailChoiceTexts.lead(email)}
		>
			<Answered query={query}>{(mail) => <Choices mail={mail} />}</Answered>
		</Section>
	);
}

function Choices({ mail: { is_set_up, choices } }: { readonly mail: MailChoices }) {
	const choosing = useChange('/account/mail/choose');
	const takeOver = useTakeOver();
	const takesPayments = useTakesPayments();

	/** If the answer is lost, what holds is read. To choose the same again does no harm. */
	async function choose(mail: MailKind, wanted: boolean) {
		const answer = await choosing.run({ act: newActId(), mail, wanted });
		await takeOver({ path: '/account/mail', query: {}, answer });
	}

	if (!is_set_up) return <Text>{mailChoiceTexts.notSetUp}</Text>;
	return (
		<Stack>
			<Failure error={choosing.failure} />
			{choices
				.filter(({ mail }) => takesPayments || mail !== 'payment')
				.map(({ mail, wanted }) => (
					<Switch
						key={mail}
						label={mailKindTexts[mail].name}
						description={<span id={`when-${mail}`}>{mailKindTexts[mail].when}</span>}
						// Both stand in the label, and the name would be as long.
						aria-label={mailKindTexts[mail].name}
						aria-describedby={`when-${mail}`}
						checked={wanted}
						onChange={({ currentTarget }) => void choose(mail, currentTarget.checked)}
					/>
				))}
		</Stack>
	);
}
