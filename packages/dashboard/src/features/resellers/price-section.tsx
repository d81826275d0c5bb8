import type { PriceChange, PricePerGb, ResellerDetails } from '@bursar/contract/dashboard';
import { priceText } from '@bursar/contract/price';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import type { Act } from '../../acts/use-act.ts';
import { moneyText, parseMoney, typedMoney, typedPrice } from '../../format/money.ts';
import { isUnfinished } from '../../format/number.ts';
import { AmountField } from '../../forms/amount-field.tsx';
import { type Column, Table } from '../../lists/table.tsx';
import { Facts } from '../../page/facts.tsx';
import { Figure } from '../../page/figure.tsx';
import { Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { Section } from '../../page/section.tsx';
import { resellerDebtTexts } from './debt-texts.ts';
import { priceOfGbText, priceTexts, setPriceText } from './price-texts.ts';
import { useRefreshReseller } from './use-reseller.ts';

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
			<Figure note={price !== null && resellerDebtTexts.below(moneyText(line))}>{priceOfGbText(price)}</Figure>
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

function PriceButton(props: PriceProps) {
	const refresh = useRefreshReseller();
	return (
		<ActDialog
			path="/operator/price"
			done={(details) => refresh(props.reseller, details)}
			title={priceTexts.dialogTitle(props.reseller)}
			button={(open) => (
				<Button variant="default" onClick={open}>
					{priceTexts.set}
				</Button>
			)}
		>
			{(act) => <PriceForm act={act} {...props} />}
		</ActDialog>
	);
}

/** Asks for the price and the line of the debt, and shows the present price beside it. */
function PriceForm({ act, reseller, price, line }: PriceProps & { readonly act: Act<'/operator/price'> }) {
	const [text, setText] = useState(price === null ? '' : priceText(price));
	const [lineText, setLineText] = useState(typedMoney(line));
	const [stops, setStops] = useState(false);
	const typed = typedPrice(text);
	const next = stops ? null : typed.state === 'right' ? typed.price : undefined;

	const typedLine = parseMoney(lineText);
	const nextLine = typeof typedLine === 'number' ? typedLine : undefined;
	const isChanged = next !== price || nextLine !== line;
	const isComplete = next !== undefined && nextLine !== undefined && isChanged;
	return (
		<ActForm
			act={act}
			// Without a line of the debt in the body, the present one stays.
			body={isComplete ? { reseller, price: next, ...(nextLine !== line && { debt_line: nextLine }) } : undefined}
			action={setPriceText(next)}
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
