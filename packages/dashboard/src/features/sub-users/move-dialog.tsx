import type { SubUserDetails } from '@bursar/contract/dashboard';
import { MAX_NOTE_CHARACTERS } from '@bursar/contract/limits';
import { Anchor, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ActDialog, ActForm } from '../../acts/act-form.tsx';
import { type ActControl, type ActOptions, useAct } from '../../acts/use-act.ts';
import { moneyText, typedMoney } from '../../format/money.ts';
import { isUnfinished } from '../../format/number.ts';
import { AmountField } from '../../forms/amount-field.tsx';
import { Table } from '../../lists/table.tsx';
import { Failure } from '../../page/failure.tsx';
import { Name } from '../../page/name.tsx';
import { useNoteChange, useSubUser } from '../life/use-sub-users.ts';
import { type MovementDirection, type MovementPreview, previewMovement } from './movement-preview.ts';
import { subUserTexts } from './texts.ts';

/** What is moved, in USD cents, and why. */
interface Move {
	readonly amount: number;
	readonly note: string;
}

interface MoveControl {
	readonly direction: MovementDirection;
	readonly act: ReturnType<typeof useAct<'/sub-users/give' | '/sub-users/take'>>;
	readonly send: (move: Move) => Promise<void>;
}

/** Gives to a sub-user or takes from it, in a dialog. `onMoved` is called with what then can be said. */
export function useMove(
	direction: MovementDirection,
	username: string,
	onMoved: (text: string) => void,
	options?: ActOptions,
): MoveControl {
	const act = useAct(direction === 'give' ? '/sub-users/give' : '/sub-users/take', options);
	const noteChange = useNoteChange();
	return {
		direction,
		act,
		async send({ amount, note }) {
			const details = await act.send({ username, amount, ...(note !== '' && { note }) });
			await noteChange(details);
			if (!details) return;
			onMoved(subUserTexts.moved[direction](moneyText(amount), username));
			act.close();
		},
	};
}

interface Props {
	readonly move: MoveControl;
	readonly details: SubUserDetails;
}

export function MoveDialog({ move: { act, direction, send }, details }: Props) {
	const title = subUserTexts.moveTitles[direction](details.username);
	return (
		<ActDialog act={act} title={title}>
			<MoveForm act={act} direction={direction} details={details} onSend={send} />
		</ActDialog>
	);
}

interface MoveFormProps {
	readonly act: ActControl;
	readonly direction: MovementDirection;
	readonly details: SubUserDetails;
	readonly onSend: (move: Move) => void;
}

/** Asks how much is given or taken, and shows both balances after it. */
function MoveForm({ act, direction, details, onSend }: MoveFormProps) {
	const [text, setText] = useState('');
	const [note, setNote] = useState('');
	const isNoteTooLong = [...note.trim()].length > MAX_NOTE_CHARACTERS;
	/** What was sent last. If its answer was lost, the balances of now may not allow it any more. */
	const [sent, setSent] = useState<Move>();
	const preview = previewMovement(direction, text, details);
	const isRight = preview.state === 'right';

	function submit() {
		const move = act.state === 'open' ? isRight && { amount: preview.cents, note: note.trim() } : sent;
		if (!move) return;
		setSent(move);
		onSend(move);
	}

	return (
		<ActForm
			act={act}
			onSubmit={submit}
			action={isRight ? subUserTexts.moveNow[direction](moneyText(preview.cents)) : subUserTexts[direction]}
			isComplete={isRight && !isNoteTooLong}
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
			<TextInput
				label={subUserTexts.moveNote}
				description={subUserTexts.moveNoteHint}
				value={note}
				onChange={({ currentTarget }) => setNote(currentTarget.value)}
				error={isNoteTooLong && subUserTexts.moveNoteTooLong}
				disabled={act.isBusy}
				// Some characters have two units, and one more can be typed, so that it is seen why it is too long.
				maxLength={2 * MAX_NOTE_CHARACTERS + 1}
			/>
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
				{ name: subUserTexts.account, cell: ({ name }) => <Name>{name}</Name> },
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
	if (preview.problem === 'unreadable' && isUnfinished(text)) return undefined;
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
