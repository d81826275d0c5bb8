import type { PriceChange, PricePerGb, ResellerDetails } from '@bursar/contract/dashboard';
import { priceText } from '@bursar/contract/price';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { ActDialog, ActForm } from '../../acts/act-form.tsx';
import { type ActControl, useAct } from '../../acts/use-act.ts';
import { moneyText, parseMoney, typedMoney } from '../../format/money.ts';
import { isUnfinished } from '../../format/number.ts';
import { AmountField } from '../../forms/amount-field.tsx';
import { type Column, Table } from '../../lists/table.tsx';
import { Facts } from '../../page/facts.tsx';
import { Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { Section } from '../../page/section.tsx';
import { resellerDebtTexts } from './debt-texts.ts';
import { typedPrice } from './price.ts';
import { priceOfGbText, priceTexts, setPriceText } from './price-texts.ts';
import { useNoteReseller } from './use-reseller.ts';

/** What a GB costs the accounts of a reseller, what it cost before, and the button that sets it. */
export function PriceSection({ details }: { readonly details: ResellerDetails }) {
	const { reseller, prices, debt_line: line } = details;
	const price = prices[0]?.price ?? null;
	return (
		<Section
			title={priceTexts.title}
			lead={price === null ? priceTexts.notMetered : priceTexts.metered}
			actions={<PriceButton reseller={reseller} price={price} line={line} />}
		>
			<Text fz="1.5rem" fw={700} lh={1.2}>
				{priceOfGbText(price)}
			</Text>
			{price !== null && <Text size="sm">{resellerDebtTexts.below(moneyText(line))}</Text>}
			{prices.length > 0 && (
				<Table
					label={priceTexts.history}
					columns={COLUMNS}
					rows={prices}
					keyOf={({ since, price: then }) => `${since} ${then}`}
					maxHeight={HISTORY_HEIGHT}
				/>
			)}
		</Section>
	);
}

const HISTORY_HEIGHT = 280;

const COLUMNS: readonly Column<PriceChange>[] = [
	{ name: priceTexts.since, onCard: 'left', cell: ({ since }) => <Moment at={since} /> },
	{
		name: priceTexts.title,
		isPlain: true,
		isNumber: true,
		onCard: 'right',
		cell: ({ price }) => priceOfGbText(price),
	},
	{ name: priceTexts.by, cell: ({ by }) => (by === null ? priceTexts.unknown : <Name>{by}</Name>) },
];

interface PriceProps {
	readonly reseller: string;
	/** The present one. */
	readonly price: PricePerGb;
	/** Beyond which debt the pairs are refused, in USD cents. The present one. */
	readonly line: number;
}

/** What is set. A line that is absent stays. */
interface Priced {
	readonly price: PricePerGb;
	readonly debt_line?: number;
}

function PriceButton({ reseller, price, line }: PriceProps) {
	const act = useAct('/operator/price');
	const note = useNoteReseller();

	async function send(next: Priced) {
		const details = await act.send({ reseller, ...next });
		if (details) act.close();
		void note(reseller, details);
	}

	return (
		<>
			<Button variant="default" onClick={act.open}>
				{priceTexts.set}
			</Button>
			<ActDialog act={act} title={priceTexts.dialogTitle(reseller)}>
				<PriceForm act={act} price={price} line={line} onSend={(next) => void send(next)} />
			</ActDialog>
		</>
	);
}

interface FormProps extends Omit<PriceProps, 'reseller'> {
	readonly act: ActControl;
	readonly onSend: (next: Priced) => void;
}

/** Asks for the price and the line of the debt, and shows the present price beside it. */
function PriceForm({ act, price, line, onSend }: FormProps) {
	const [text, setText] = useState(price === null ? '' : priceText(price));
	const [lineText, setLineText] = useState(typedMoney(line));
	const [stops, setStops] = useState(false);
	/** What was sent last: the same again, if its answer was lost. */
	const [sent, setSent] = useState<Priced>();
	const typed = typedPrice(text);
	const next = stops ? null : typed.state === 'right' ? typed.price : undefined;

	const typedLine = parseMoney(lineText);
	const nextLine = typeof typedLine === 'number' ? typedLine : undefined;
	const isChanged = next !== price || nextLine !== line;

	function pricedNow(): Priced | undefined {
		if (next === undefined || nextLine === undefined) return undefined;
		return nextLine === line ? { price: next } : { price: next, debt_line: nextLine };
	}
	function submit() {
		const wanted = act.state === 'open' ? pricedNow() : sent;
		if (wanted === undefined) return;
		setSent(wanted);
		onSend(wanted);
	}

	return (
		<ActForm
			act={act}
			onSubmit={submit}
			action={setPriceText(next)}
			isComplete={pricedNow() !== undefined && isChanged}
			repeated={priceTexts.repeated}
		>
			<Text size="sm">{priceTexts.intro}</Text>
			<AmountField
				label={priceTexts.price}
				description={priceTexts.hint}
				value={stops ? '' : text}
				onType={(typedText) => {
					setStops(false);
					setText(typedText);
				}}
				error={!stops && typed.state === 'wrong' && !isUnfinished(text) && priceTexts.problems[typed.problem]}
				disabled={act.isBusy}
				isFirst
			/>
			{price !== null && (
				<Button variant="subtle" size="compact-sm" w="fit-content" disabled={act.isBusy} onClick={() => setStops(true)}>
					{priceTexts.stop}
				</Button>
			)}
			<AmountField
				label={resellerDebtTexts.lineField}
				description={resellerDebtTexts.lineHint}
				value={lineText}
				onType={setLineText}
				error={nextLine === undefined && !isUnfinished(lineText) && resellerDebtTexts.lineProblem}
				disabled={act.isBusy}
			/>
			<div aria-live="polite">
				<Facts
					facts={[
						{ name: priceTexts.now, value: priceOfGbText(price) },
						{ name: priceTexts.after, value: next === undefined ? '–' : <b>{priceOfGbText(next)}</b> },
					]}
				/>
				{price === null && next !== undefined && <Text size="sm">{priceTexts.cutOff}</Text>}
				{price !== null && stops && <Text size="sm">{priceTexts.stopped}</Text>}
			</div>
		</ActForm>
	);
}
