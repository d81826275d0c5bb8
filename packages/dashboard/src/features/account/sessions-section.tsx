import type { Account, AccountSession } from '@bursar/contract/dashboard';
import { Button, Group, Text } from '@mantine/core';
import { useRef } from 'react';
import { newActId } from '../../acts/act.ts';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import { useChange } from '../../calls/use-change.ts';
import { Item, ItemList } from '../../lists/item.tsx';
import { Failure } from '../../page/failure.tsx';
import { Ago, Moment } from '../../page/moment.tsx';
import { Section } from '../../page/section.tsx';
import { StateBadge } from '../../page/state-badge.tsx';
import { accountTexts, browserText } from './texts.ts';
import { useRefreshAccount } from './use-account.ts';

/** Where the person is signed in. */
export function SessionsSection({ sessions }: Pick<Account, 'sessions'>) {
	const ending = useChange('/account/sessions/end');
	const refresh = useRefreshAccount();
	const title = useRef<HTMLHeadingElement>(null);
	const isOnly = sessions.every(({ current }) => current);

	async function end(id: string) {
		const account = await ending.run({ act: newActId(), id });
		await refresh(account);
		if (account) title.current?.focus();
	}

	return (
		<Section
			title={accountTexts.sessions}
			titleRef={title}
			lead={accountTexts.sessionsLead}
			actions={
				<ActDialog
					path="/account/sessions/end-others"
					done={refresh}
					title={accountTexts.endOthersTitle}
					button={(open) =>
						!isOnly && (
							<Button variant="outline" color="red" onClick={open}>
								{accountTexts.endOthers}
							</Button>
						)
					}
				>
					{(act) => (
						<ActForm act={act} body={{}} action={accountTexts.endOthers} isDangerous>
							<Text size="sm">{accountTexts.endOthersEffect}</Text>
						</ActForm>
					)}
				</ActDialog>
			}
		>
			<Failure error={ending.failure} />
			<ItemList>
				{sessions.toSorted(currentFirst).map((session) => (
					<SessionItem key={session.id} session={session} isBusy={ending.isBusy} onEnd={() => end(session.id)} />
				))}
			</ItemList>
			{isOnly && (
				<Text size="sm" c="dimmed">
					{accountTexts.onlySession}
				</Text>
			)}
		</Section>
	);
}

function currentFirst(one: AccountSession, other: AccountSession): number {
	return Number(other.current) - Number(one.current);
}

interface ItemProps {
	readonly session: AccountSession;
	readonly isBusy: boolean;
	readonly onEnd: () => void;
}

function SessionItem({ session: { browser, address, current, last_seen, signed_in }, isBusy, onEnd }: ItemProps) {
	return (
		<Item
			name={
				<Group gap="xs">
					{browserText(browser)}
					{current && <StateBadge tone="good">{accountTexts.thisSession}</StateBadge>}
				</Group>
			}
			details={
				<>
					<div>{address}</div>
					{accountTexts.lastSeen} <Ago at={last_seen} />, {accountTexts.signedIn} <Moment at={signed_in} />
				</>
			}
			actions={
				!current && (
					<Button
						size="xs"
						variant="outline"
						color="red"
						disabled={isBusy}
						aria-label={accountTexts.endOne(browserText(browser), address)}
						onClick={onEnd}
					>
						{accountTexts.end}
					</Button>
				)
			}
		/>
	);
}
