import type { SubUserDetails } from '@bursar/contract/dashboard';
import { MAX_NOTE_CHARACTERS } from '@bursar/contract/limits';
import { isMovementReference, REFERENCE_MAX_LENGTH } from '@bursar/contract/reference';
import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import type { Act } from '../../acts/use-act.ts';
import { moneyText, typedMoney } from '../../format/money.ts';
import { isUnfinished } from '../../format/number.ts';
import { AmountField } from '../../forms/amount-field.tsx';
import { PlainTextInput } from '../../forms/plain-text-input.tsx';
import { Table } from '../../lists/table.tsx';
import { Failure } from '../../page/failure.tsx';
import { Name } from '../../page/name.tsx';
import { type SubUserDialogProps, useRefreshSubUsers, useSubUser } from '../terms/use-sub-user.ts';
import { type MovementDirection, type MovementPreview, previewMovement } from './balance.ts';
import { subUserTexts } from './texts.ts';

interface Props extends SubUserDialogProps {
	readonly direction: MovementDirection;
}

/** Gives to a sub-user or takes from it. */
export function MoveDialog({ direction, details, onDone, button }: Props) {
	const { username } = details;
	const refresh = useRefreshSubUsers();
	return (
		<ActDialog
			path={`/sub-users/${direction}`}
			done={async (moved, { amount }) => {
				await refresh(moved);
				if (moved) onDone(subUserTexts.moved[direction](moneyText(amount), username));
			}}
			title={subUserTexts.moveTitles[direction](username)}
			button={button}
		>
			{(act) => <MoveForm act={act} direction={direction} details={details} />}
		</ActDialog>
	);
}

interface MoveFormProps extends Pick<Props, 'direction' | 'details'> {
	readonly act: Act<`/sub-users/${MovementDirection}`>;
}

/** Asks how much is given or taken, and shows both balances after it. */
function MoveForm({ act, direction, details }: MoveFormProps) {
	const { username } = details;
	const [text, setText] = useState('');
	const [typedNote, setNote] = useState('');
	const note = typedNote.trim();
	const [typedReference, setReference] = useState('');
	const reference = typedReference.trim();
	const isReferenceWrong = reference !== '' && !isMovementReference(reference);
	const isNoteTooLong = [...note].length > MAX_NOTE_CHARACTERS;
	const preview = previewMovement(direction, text, details);
	const isRight = preview.state === 'right';
	return (
		<ActForm
			act={act}
			body={
				isRight && !isNoteTooLong && !isReferenceWrong
					? {
							...{ username, amount: preview.cents },
							...(note !== '' && { note }),
							...(reference !== '' && { reference }),
						}
					: undefined
			}
			action={isRight ? subUserTexts.moveNow[direction](moneyText(preview.cents)) : subUserTexts[direction]}
			repeated={<Repeated username={username} />}
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
			<PlainTextInput
				label={subUserTexts.moveReference}
				description={subUserTexts.moveReferenceHint}
				value={typedReference}
				onType={setReference}
				error={isReferenceWrong && subUserTexts.moveReferenceWrong}
				disabled={act.isBusy}
				maxLength={REFERENCE_MAX_LENGTH}
			/>
			<PlainTextInput
				label={subUserTexts.moveNote}
				description={subUserTexts.moveNoteHint}
				value={typedNote}
				onType={setNote}
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
