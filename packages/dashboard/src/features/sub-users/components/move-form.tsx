import type { SubUserDetails } from '@bursar/contract/dashboard';
import { Anchor } from '@mantine/core';
import { useState } from 'react';
import type { ActControl } from '../../../api/use-act.ts';
import { moneyText, typedMoney } from '../../../format/money.ts';
import { ActForm } from '../../../frame/act-form.tsx';
import { AmountField } from '../../../frame/amount-field.tsx';
import { Failure } from '../../../frame/failure.tsx';
import { Table } from '../../../frame/table.tsx';
import { subUserTexts } from '../../../texts/sub-users.ts';
import { useSubUser } from '../api/use-sub-user.ts';
import { type MovementDirection, type MovementPreview, previewMovement } from '../movement-preview.ts';

interface Props {
	readonly act: ActControl;
	readonly direction: MovementDirection;
	readonly details: SubUserDetails;
	readonly onSend: (cents: number) => void;
}

/** Asks how much is given or taken, and shows both balances after it. */
export function MoveForm({ act, direction, details, onSend }: Props) {
	const [text, setText] = useState('');
	/** What was sent last. If its answer was lost, the balances of now may not allow it any more. */
	const [sent, setSent] = useState<number>();
	const preview = previewMovement(direction, text, details);
	const isRight = preview.state === 'right';

	function submit() {
		const cents = act.state === 'open' ? isRight && preview.cents : sent;
		if (!cents) return;
		setSent(cents);
		onSend(cents);
	}

	return (
		<ActForm
			act={act}
			onSubmit={submit}
			action={isRight ? subUserTexts.moveNow(direction, moneyText(preview.cents)) : subUserTexts[direction]}
			isComplete={isRight}
			repeated={<Repeated username={details.username} />}
		>
			<AmountField
				label={subUserTexts.amount}
				description={subUserTexts.amountHint}
				value={text}
				onType={setText}
				error={problemText(preview, text, direction, details)}
				disabled={act.isBusy}
				isFirst
			/>
			{direction === 'take' && details.balance > 0 && (
				<Anchor
					component="button"
					type="button"
					size="sm"
					w="fit-content"
					onClick={() => setText(typedMoney(details.balance))}
				>
					{subUserTexts.takeAll}
				</Anchor>
			)}
			<Balances preview={preview} details={details} />
		</ActForm>
	);
}

/** Both balances, now and afterwards. */
function Balances({ preview, details }: { readonly preview: MovementPreview; readonly details: SubUserDetails }) {
	const isRight = preview.state === 'right';
	return (
		<Table
			label={subUserTexts.afterwards}
			columns={[
				{ name: subUserTexts.account, cell: ({ name }) => name },
				{ name: subUserTexts.now, isNumber: true, cell: ({ now }) => moneyText(now) },
				{
					name: subUserTexts.after,
					isNumber: true,
					cell: ({ after }) => (after === undefined ? '–' : <strong>{moneyText(after)}</strong>),
				},
			]}
			rows={[
				{
					name: details.username,
					now: details.balance,
					after: isRight ? preview.subUserAfter : undefined,
				},
				{
					name: subUserTexts.you,
					now: details.reseller_balance,
					after: isRight ? preview.resellerAfter : undefined,
				},
			]}
			keyOf={({ name }) => name}
			onPhone="scroll"
		/>
	);
}

function problemText(
	preview: MovementPreview,
	text: string,
	direction: MovementDirection,
	{ username, balance, reseller_balance }: SubUserDetails,
): string | undefined {
	if (preview.state !== 'wrong') return undefined;
	// A point at the end waits for its cents.
	if (preview.problem === 'unreadable' && text.endsWith('.')) return undefined;
	if (preview.problem !== 'too_much') return subUserTexts.amountProblems[preview.problem];
	return direction === 'give'
		? subUserTexts.youHave(moneyText(reseller_balance))
		: subUserTexts.subUserHas(username, moneyText(balance));
}

/** How things stand after a movement whose answer was lost. */
function Repeated({ username }: { readonly username: string }) {
	const { data, error, isFetching } = useSubUser(username);
	if (isFetching) return subUserTexts.reading;
	if (!data || error) return <Failure error={error} />;
	return subUserTexts.repeatedMovement(username, moneyText(data.balance), moneyText(data.reseller_balance));
}
