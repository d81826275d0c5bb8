import type { KnownNames } from '@bursar/contract/dashboard';
import { CREATE_FEE_CENTS } from '@bursar/contract/limits';
import { Text } from '@mantine/core';
import { useState } from 'react';
import { useSuspendedReason } from '../../acts/use-suspended-reason.ts';
import { serverNowMs } from '../../calls/server-clock.ts';
import { useRead } from '../../calls/use-read.ts';
import { moneyText } from '../../format/money.ts';
import { ExplainedButton } from '../../forms/explained-button.tsx';
import { PlainTextInput } from '../../forms/plain-text-input.tsx';
import { type Fact, Facts } from '../../page/facts.tsx';
import { Failure } from '../../page/failure.tsx';
import { Section } from '../../page/section.tsx';
import { concernsOf, type Decisions, isDecided, linesLeft } from './concerns.ts';
import { ConcernsList } from './concerns-list.tsx';
import { LinesTable } from './lines-table.tsx';
import type { OperationName } from './operations.ts';
import { totalCents, type WantedLine } from './run.ts';
import { manyTexts, startText } from './texts.ts';
import { useKnownNames } from './use-known-names.ts';

interface Props {
	/** Tells these lines from others. */
	readonly id: string;
	readonly operation: OperationName;
	readonly lines: readonly WantedLine[];
	readonly isFile: boolean;
	readonly onStart: (lines: readonly WantedLine[]) => void;
}

/** All lines with what concerns them, and what they move in total. Nothing is sent before a person has looked. */
export function Preview({ id, operation, lines: all, isFile, onStart }: Props) {
	const { data: overview } = useRead('/overview', {}, { staleMs: 0 });
	const names = useKnownNames(
		id,
		all.map(({ username }) => username),
	);
	const suspended = useSuspendedReason();
	const [decisions, setDecisions] = useState<Decisions>({});
	const [typed, setTyped] = useState('');
	const known = names.data;
	const concerns = known ? concernsOf(operation, all, { known, nowMs: serverNowMs() }) : [];
	const lines = linesLeft(all, concerns, decisions);
	const fees = operation === 'create' ? lines.length * CREATE_FEE_CENTS : 0;
	const total = fees + totalCents(lines);
	const isPoor = (fees > 0 || operation === 'give') && overview !== undefined && total > overview.balance;
	const isConfirmed = operation !== 'delete' || typed.trim() === String(lines.length);

	function reason(): string | undefined {
		if (suspended !== undefined) return suspended;
		if (!known) return manyTexts.looking;
		if (!isDecided(concerns, decisions)) return manyTexts.decide;
		if (lines.length === 0) return manyTexts.nothingLeft;
		if (isPoor) return manyTexts.tooPoor;
		return isConfirmed ? undefined : manyTexts.confirmFirst;
	}
	return (
		<Section title={manyTexts.lines} lead={manyTexts.dangerous}>
			<Failure error={names.error} retry={() => void names.refetch()} />
			<ConcernsList concerns={concerns} decisions={decisions} onDecide={setDecisions} isFile={isFile} />
			<Facts facts={factsOf({ operation, lines, fees, balance: overview?.balance, known })} />
			{lines.length > 0 && <LinesTable lines={lines} />}
			{operation === 'delete' && lines.length > 0 && (
				<PlainTextInput
					label={manyTexts.typeCount(String(lines.length))}
					value={typed}
					onType={setTyped}
					inputMode="numeric"
					maxLength={8}
					maw={340}
				/>
			)}
			{isDecided(concerns, decisions) && lines.length < all.length && (
				<Text size="sm">{manyTexts.leftOut(all.length - lines.length)}</Text>
			)}
			<ExplainedButton
				reason={reason()}
				{...(operation === 'delete' && { color: 'red' })}
				onClick={() => onStart(lines)}
			>
				{startText(operation, lines.length, total)}
			</ExplainedButton>
		</Section>
	);
}

interface Moved {
	readonly operation: OperationName;
	readonly lines: readonly WantedLine[];
	readonly fees: number;
	/** Of the reseller. Absent until it was read. */
	readonly balance: number | undefined;
	readonly known: KnownNames | undefined;
}

/** What the lines move, and the balance of the reseller before and after them. */
function factsOf({ operation, lines, fees, balance, known }: Moved): readonly Fact[] {
	const moved = operation === 'delete' ? returnedCents(lines, known) : totalCents(lines);
	const total = fees + moved;
	if (total === 0) return [];
	const change = operation === 'take' || operation === 'delete' ? total : -total;
	const after = balance === undefined ? undefined : balance + change;
	return [
		...(fees > 0 && moved > 0
			? [
					{ name: manyTexts.fees, value: moneyText(fees) },
					{ name: manyTexts.gifts, value: moneyText(moved) },
				]
			: []),
		{ name: operation === 'delete' ? manyTexts.comesBack : manyTexts.total, value: moneyText(total) },
		{ name: manyTexts.yourBalance, value: balance === undefined ? '–' : moneyText(balance) },
		...(after !== undefined && after >= 0 ? [{ name: manyTexts.afterwards, value: moneyText(after) }] : []),
	];
}

function returnedCents(lines: readonly WantedLine[], known: KnownNames | undefined): number {
	const deleted = new Set(lines.map(({ username }) => username));
	return (known?.sub_users ?? [])
		.filter(({ username }) => deleted.has(username))
		.reduce((sum, { balance }) => sum + Math.max(0, balance), 0);
}
