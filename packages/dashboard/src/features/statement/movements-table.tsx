import type { Movement, PaidUsage, TodaySoFar } from '@bursar/contract/dashboard';
import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { bytesText } from '../../format/bytes.ts';
import { changeText, moneyText, priceText } from '../../format/money.ts';
import { type Column, Table } from '../../lists/table.tsx';
import { Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { paymentPath, resellerSubUserPath, subUserPath, topUpPath } from '../../page/paths.ts';
import { detailsText, makerText, statementTexts, usageText } from './texts.ts';

/** Whose account the page is about: the reseller's, as it sees it or as an operator does, or that of one sub-user. */
type Perspective = 'reseller' | 'operator' | 'sub_user';

/** A movement, or what the account has used since the newest one. */
export type StatementRow = { readonly movement: Movement } | { readonly today: TodaySoFar };

interface Props {
	readonly rows: readonly StatementRow[];
	readonly perspective: Perspective;
	/** For operators: whose movements they are. */
	readonly reseller?: string | undefined;
	/** Whether other movements are being read. */
	readonly isStale?: boolean;
}

/** Movements of money, each with the balance of the account that the page is about. */
export function MovementsTable({ rows, perspective, reseller, isStale = false }: Props) {
	return (
		<Table
			label={statementTexts.label}
			columns={columnsFor(perspective, pathsFor(perspective, reseller))}
			rows={rows}
			keyOf={(row) => ('today' in row ? 'today' : row.movement.number)}
			isStale={isStale}
		/>
	);
}

type PathOf = (username: string) => string;

/** The pages of the sub-users that are named; `undefined` on the page of one of them. */
function pathsFor(perspective: Perspective, reseller: string | undefined): PathOf | undefined {
	if (perspective === 'sub_user') return undefined;
	return reseller === undefined ? subUserPath : (username) => resellerSubUserPath(reseller, username);
}

/** What a cell shows of a movement, and of what is not posted yet. */
function cellOf(ofMovement: (movement: Movement) => ReactNode, ofToday: (today: TodaySoFar) => ReactNode) {
	return (row: StatementRow) => ('today' in row ? ofToday(row.today) : ofMovement(row.movement));
}

function columnsFor(perspective: Perspective, pathOf: PathOf | undefined): readonly Column<StatementRow>[] {
	return [
		{
			name: statementTexts.at,
			onCard: 'left',
			cell: cellOf(
				({ at, number }) => (
					<TwoLines second={statementTexts.number(String(number))}>
						<Moment at={at} />
					</TwoLines>
				),
				() => <TwoLines second={statementTexts.notPostedRow}>{statementTexts.today}</TwoLines>,
			),
		},
		{
			name: statementTexts.kind,
			isPlain: true,
			onCard: 'left',
			cell: cellOf(
				({ kind }) => statementTexts.kinds[kind],
				() => statementTexts.kinds.usage,
			),
		},
		...(pathOf ? [subUserColumn(pathOf)] : []),
		{
			name: statementTexts.by,
			cell: cellOf(
				(movement) => <Maker movement={movement} perspective={perspective} />,
				({ bytes, since }) => (
					<>
						{statementTexts.usedSince(bytesText(bytes))} <Moment at={since} />
					</>
				),
			),
		},
		{
			name: statementTexts.amount,
			isNumber: true,
			onCard: 'right',
			cell: cellOf(
				(movement) =>
					hasChanged(movement, perspective) ? changeText(movement.amount) : <Elsewhere movement={movement} />,
				({ cost }) => changeText(-cost),
			),
		},
		{
			name: statementTexts.balanceTitles[perspective],
			isNumber: true,
			onCard: 'right',
			isNamedOnCard: true,
			cell: cellOf(
				(movement) => (hasChanged(movement, perspective) ? moneyText(movement.balance ?? 0) : NOTHING),
				({ balance }) => moneyText(balance),
			),
		},
	];
}

/** Of a balance that a movement left as it was. */
const NOTHING = '–';

function TwoLines({ children, second }: { readonly children: ReactNode; readonly second: string }) {
	return (
		<div>
			{children}
			<Text size="sm" c="dimmed">
				{second}
			</Text>
		</div>
	);
}

/**
 * Whether it changed the balance that the page is about. A sub-user pays for bandwidth, the reseller pays fees, and a debt
 * changes no balance.
 */
function hasChanged({ of, username, balance }: Movement, perspective: Perspective): boolean {
	return balance !== null && (of === username) === (perspective === 'sub_user');
}

/** What it changed instead. It is no part of the sum of the column. */
function Elsewhere({ movement: { kind, amount, of } }: { readonly movement: Movement }) {
	const what = kind === 'debt' || kind === 'refund_debt' ? 'owed' : kind === 'debt_forgiven' ? 'forgiven' : 'paid';
	// Only the name may break.
	const [before, after] = statementTexts.elsewhere[what](moneyText(Math.abs(amount)), GAP).split(GAP);
	return (
		<Text span size="sm" c="dimmed">
			{before}
			<Name>{of}</Name>
			{after}
		</Text>
	);
}

/** Stands for the name in a text. */
const GAP = '\n';

function subUserColumn(pathOf: PathOf): Column<StatementRow> {
	return {
		name: statementTexts.subUser,
		isPlain: true,
		cell: cellOf(
			({ username }) =>
				username === null ? null : (
					<Anchor component={Link} href={pathOf(username)} size="sm">
						<Name>{username}</Name>
					</Anchor>
				),
			() => null,
		),
	};
}

interface MakerProps {
	readonly movement: Movement;
	readonly perspective: Perspective;
}

function Maker({ movement, perspective }: MakerProps) {
	const { usage, payment } = movement;
	if (usage.length > 0) return <PaidFor movement={movement} />;
	if (payment !== null) {
		return (
			<div>
				{makerText(movement)}
				<br />
				<Anchor
					component={Link}
					href={perspective === 'operator' ? paymentPath(payment) : topUpPath(payment)}
					size="sm"
				>
					{statementTexts.toPayment}
				</Anchor>
			</div>
		);
	}
	const details = detailsText(movement);
	return (
		<div>
			<Name>{makerText(movement)}</Name>
			{details !== '' && (
				<Text size="sm" c="dimmed">
					{details}
				</Text>
			)}
		</div>
	);
}

/** The bandwidth that was paid for. It opens to the bytes of each price. */
function PaidFor({ movement }: { readonly movement: Movement }) {
	return (
		<details>
			<summary>{usageText(movement)}</summary>
			{movement.usage.map(({ price, since, bytes }: PaidUsage) => (
				<Text key={`${price} ${since}`} size="sm" c="dimmed">
					{statementTexts.atPrice(bytesText(bytes), priceText(price))} <Moment at={since} />
				</Text>
			))}
		</details>
	);
}
